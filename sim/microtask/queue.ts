/** The two queues of an execution, microtasks and ticks, and who is told of them. `drain.ts` runs them. */

import { original } from "../native/original.ts";
import { Callback } from "./callback.ts";
import { enterFrame } from "./frame.ts";
import { type Job, jobKinds } from "./job.ts";
import { forgetRejections } from "./rejections.ts";
import { Ring } from "./ring.ts";
import { listener } from "./told.ts";

/** What the engine is told during an execution. */
export type Host = {
  /** A job is about to run; told while `setCounting(true)`. */
  ran(): void;
  /** A job has become ready; told in order while `setNaming(true)`. */
  enqueued(job: Job): void;
  /** Both queues are empty and nobody has handled this rejection. */
  unhandled(reason: unknown, promise: object): void;
  /** A callback of queueMicrotask or nextTick threw, or a function that a subclass of Promise had given to settle it. */
  uncaught(error: unknown): void;
  /** A native promise was awaited, or one of ours was resolved with it. */
  foreign(promise: object): void;
  /** Lowered code is about to import dynamically. */
  importing(): void;
};

export const microtasks = new Ring();
export const ticks = new Ring();

const nativeQueueMicrotask = original(queueMicrotask);
let host: Host | null = null;
let naming = false;

/** The engine of the execution under way; null: none is (ambient mode). */
export function liveHost(): Host | null {
  return host;
}

/** Says who is told from now on, and empties the queues, wherever the code before was ended. */
export function serve(next: Host | null): void {
  microtasks.clear();
  ticks.clear();
  forgetRejections();
  enterFrame(null);
  host = next;
}

/** Says whether the host is told of each job that becomes ready. */
export function setNaming(on: boolean): void {
  naming = on;
}

/** Makes a microtask ready. */
export function enqueue(job: Job): void {
  if (host === null) {
    // A promise that outlived its execution: whoever listens to it now lives by Node's queue.
    nativeQueueMicrotask(() => runOutside(job));
    return;
  }
  microtasks.push(job);
  if (naming) announce(host, job);
}

/** What queueMicrotask() does inside an execution. */
export function microtask(callback: () => void): void {
  const job = new Callback(jobKinds.microtask, callback, []);
  const told = listener();
  if (told !== null) told.queued(job, new Error("asked for here"));
  enqueue(job);
}

/** What process.nextTick() does inside an execution. */
export function tick(callback: (...args: never[]) => void, args: readonly unknown[]): void {
  if (host === null) return;
  const job = new Callback(jobKinds.tick, callback, args);
  const told = listener();
  if (told !== null) told.queued(job, new Error("asked for here"));
  ticks.push(job);
  if (naming) announce(host, job);
}

/** The continuation of an async function is one job again and again: the engine finds there what it kept the last time. */
function announce(engine: Host, job: Job): void {
  engine.enqueued(job);
}

function runOutside(job: Job): void {
  const before = enterFrame(job.frame);
  try {
    job.run();
  } finally {
    enterFrame(before);
  }
}
