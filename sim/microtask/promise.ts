/**
 * The promise of an execution: its hidden state, and the constructor. What it inherits is in `then.ts`, `statics.ts` and
 * `combinators.ts`. The state is private to the object, so that nothing of it can be seen and no lookalike passes.
 */
import type { Job } from "./job.ts";
import { enqueue } from "./queue.ts";
import { noticeRejection } from "./rejections.ts";
import { listener } from "./told.ts";

export const pending = 0;
export const fulfilled = 1;
export const rejected = 2;

/** Given in place of an executor by those who settle the promise themselves. */
const noExecutor = Symbol("no executor");

/** How the constructor gets its resolving functions; `resolution.ts` says which. */
type Start = (promise: OwnPromise, executor: unknown) => void;
let start: Start = () => {};

let stateOf: (promise: OwnPromise) => number;
let resultOf: (promise: OwnPromise) => unknown;
let isHandled: (promise: OwnPromise) => boolean;
let isOwn: (value: unknown) => value is OwnPromise;
let settle: (promise: OwnPromise, state: number, value: unknown) => void;
let subscribe: (promise: OwnPromise, job: Job) => void;

export class OwnPromise {
  #state = pending;
  #value: unknown = undefined;
  /** Who waits: nobody, one, or several in order. Nearly always one, so that a list would be wasted. */
  #waiting: Job | Job[] | undefined = undefined;
  #handled = false;

  constructor(executor: unknown) {
    const told = listener();
    if (told !== null) told.made(this, new Error("made here"));
    if (executor === noExecutor) return;
    if (told !== null) told.handedOut(this, "executor");
    start(this, executor);
    if (told !== null) told.executed(this);
  }

  static {
    stateOf = (promise) => promise.#state;
    resultOf = (promise) => promise.#value;
    isHandled = (promise) => promise.#handled;
    isOwn = (value): value is OwnPromise => typeof value === "object" && value !== null && #state in value;

    settle = (promise, state, value) => {
      const waiting = promise.#waiting;
      promise.#state = state;
      promise.#value = value;
      promise.#waiting = undefined;
      const told = listener();
      if (told !== null) told.settled(promise, state === rejected ? "rejected" : "fulfilled");
      if (state === rejected && !promise.#handled) noticeRejection(promise);
      if (waiting === undefined) return;
      if (Array.isArray(waiting)) for (const job of waiting) enqueue(job);
      else enqueue(waiting);
    };

    subscribe = (promise, job) => {
      if (promise.#state !== pending) enqueue(job);
      else if (promise.#waiting === undefined) promise.#waiting = job;
      else if (Array.isArray(promise.#waiting)) promise.#waiting.push(job);
      else promise.#waiting = [promise.#waiting, job];
      promise.#handled = true;
    };
  }
}

export { isHandled, isOwn, resultOf, settle, stateOf, subscribe };

/** Makes a pending promise that its maker settles. */
export function pendingPromise(): OwnPromise {
  return new OwnPromise(noExecutor);
}

/** Says, once, how an executor is called. */
export function startWith(how: Start): void {
  start = how;
}
