/** Runs the text of a small program as it is on Node, or lowered in an execution with the realm's patches in place. */
import { syncBuiltinESMExports } from "node:module";
import { eventPatches } from "../../../native/realm/events.ts";
import type { RealmHost } from "../../../native/realm/host.ts";
import { Replacements } from "../../../native/realm/patch.ts";
import { type TimerHost, timerFunctions } from "../../../native/timers.ts";
import type { Host } from "../../queue.ts";
import { inExecution, type Log, onNode } from "../../testing/runs.ts";
import { microtaskPatches } from "../patches.ts";

/** What the programs call by its name. Asked for when they run, as lowered code that is loaded then would. */
const names = `
  const { AsyncLocalStorage, AsyncResource } = process.getBuiltinModule("node:async_hooks");
  const { EventEmitter, once, on } = process.getBuiltinModule("node:events");
  const { promisify, callbackify, aborted } = process.getBuiltinModule("node:util");
  { const { Promise, queueMicrotask } = globalThis; const { nextTick } = process;
`;

const noTimers: TimerHost = {
  arm: () => {
    throw new Error("These programs arm no timers");
  },
  disarm: () => {},
  rearm: () => {},
  numbered: new Map(),
};

let executions = 0;

export function inRealm(code: string, host: Partial<Host & RealmHost> = {}): Log {
  const engine = new StubEngine(host);
  return withRealm(engine, () => {
    engine.live = true;
    try {
      return inExecution(`${names}${code}}`, host);
    } finally {
      engine.live = false;
    }
  });
}

/** Does something while the realm is in its place, and no execution is live. */
export function withRealm<T>(host: RealmHost, act: () => T): T {
  const replacements = new Replacements();
  replacements.install(eventPatches(timerFunctions(noTimers)));
  replacements.install(microtaskPatches(host));
  syncBuiltinESMExports();
  try {
    return act();
  } finally {
    replacements.restore();
    syncBuiltinESMExports();
  }
}

export function asItIs(code: string): Promise<Log> {
  return onNode(`${names}${code}}`);
}

/** What the realm needs of an engine, as far as these programs need it. */
export class StubEngine implements RealmHost {
  readonly execution = ++executions;
  readonly shared = false;
  live = false;
  readonly jobAsked: () => void;
  readonly leaked: RealmHost["leaked"];

  constructor({ jobAsked, leaked }: Partial<RealmHost> = {}) {
    this.jobAsked = jobAsked ?? (() => {});
    this.leaked = leaked ?? (() => {});
  }

  readClock(): number {
    return 0;
  }

  random(): number {
    return 0;
  }

  randomBits(): number {
    return 0;
  }

  jobRan(): void {}
  runTick(): void {}
  unhandled(): void {}
  uncaught(): void {}
}
