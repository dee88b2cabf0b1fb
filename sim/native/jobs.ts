/**
 * Runs V8's own microtask queue and Node's nextTick queue to the end, synchronously, in their own order. Everything
 * that leans on the undocumented `process._tickCallback` is in this file, with the test that says whether it is there.
 */

import { promiseHooks } from "node:v8";
import type { JobHost, Jobs } from "../jobs.ts";
import { hostProcess } from "./host-context.ts";
import { original } from "./original.ts";

const tickCallback: unknown = Reflect.get(hostProcess, "_tickCallback");
const realNextTick = original(hostProcess.nextTick).bind(hostProcess);

/** Drains nextTicks and microtasks. Rethrows what a nextTick callback threw; call again to drain the rest. */
export function drainJobs(): void {
  if (typeof tickCallback === "function") tickCallback.call(hostProcess);
}

const settled = Promise.resolve();
/** What a nextTick callback throws ends a drain early; the bound ends a queue that does nothing but throw. */
const throwsMost = 1_000;

/** V8's own queue. Contexts are Node's own affair there. */
export class NativeJobs implements Jobs {
  readonly engine = "native";
  readonly promises = null;
  #host: JobHost | null = null;
  #stopHook: (() => void) | null = null;

  begin(host: JobHost): void {
    this.#host = host;
  }

  end(): void {}

  drain(): void {
    for (let attempt = 0; attempt < throwsMost; attempt++) {
      try {
        drainJobs();
        return;
      } catch (error) {
        this.#host?.uncaught(error);
      }
    }
  }

  tick(act: () => void): void {
    settled.then(act);
  }

  /** Hooks cost, so they are on only while somebody counts. They see promise jobs; of the others the realm tells. */
  count(on: boolean): void {
    if (on) {
      this.#stopHook ??= stopper(promiseHooks.onBefore(() => this.#host?.jobRan()));
      return;
    }
    this.#stopHook?.();
    this.#stopHook = null;
  }

  context(): null {
    return null;
  }

  enter(): void {}

  back(): void {}
}

function stopper(stop: unknown): () => void {
  return typeof stop === "function" ? () => stop() : () => undefined;
}

/** `macrotasks` in this variable of the environment asks for the fallback where the drain works, too. */
const { MICROLOOM_DRAIN: asked } = process.env;
let works: boolean | null = null;

/**
 * Tells whether an execution can run in one stretch. If not, each of its deliveries takes a real macrotask. Call in a
 * macrotask, outside of any other job.
 */
export function drainsSynchronously(): boolean {
  works ??= asked !== "macrotasks" && drainWorks();
  return works;
}

/** Says what `drainsSynchronously` is to answer from now on; null: what it finds. */
export function forceDrain(answer: boolean | null): void {
  works = answer;
}

/**
 * Tries the drain: promise jobs and nextTicks that were asked for before it and inside it must have run, in Node's
 * order, when it returns.
 */
function drainWorks(): boolean {
  const ran: string[] = [];
  realNextTick(() => {
    ran.push("tick");
    realNextTick(() => ran.push("inner tick"));
    void Promise.resolve().then(() => ran.push("inner job"));
  });
  void Promise.resolve().then(() => ran.push("job"));
  drainJobs();
  return ran.join() === "tick,inner tick,job,inner job";
}
