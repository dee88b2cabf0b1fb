/** Code that waits at an `await`: its own job, which no promise has to be made for when what it awaits is none. */
import { types } from "node:util";
import { currentFrame } from "./frame.ts";
import { Job, jobKinds } from "./job.ts";
import { fulfilled, isOwn, OwnPromise, pendingPromise, rejected, resultOf, stateOf, subscribe } from "./promise.ts";
import { enqueue } from "./queue.ts";
import { follow } from "./resolution.ts";
import { isCallable, isObject } from "./shapes.ts";
import { listener, takeSite } from "./told.ts";

export abstract class Continuation extends Job {
  /** What it goes on with: a promise that is settled by then, or else the outcome and the value below. */
  declare awaited: OwnPromise | null;
  declare outcome: number;
  declare value: unknown;

  constructor() {
    super();
    this.awaited = null;
    this.outcome = fulfilled;
    this.value = undefined;
  }

  get kind(): number {
    return jobKinds.continuation;
  }

  /** The promises that it will settle, of those that were given out so far. */
  abstract settles(): readonly object[];

  /** Goes on after the await; never throws. `outcome`: `fulfilled` or `rejected`. */
  abstract resume(outcome: number, value: unknown): void;

  run(): void {
    const { awaited } = this;
    if (awaited !== null) {
      this.awaited = null;
      this.resume(stateOf(awaited), resultOf(awaited));
      return;
    }
    const { value } = this;
    this.value = undefined;
    this.resume(this.outcome, value);
  }
}

const labels = new Map<string, string>();

/** The label of what goes on in this function: one string for each, because it is looked up by at every job. */
export function awaitLabel(name: string): string {
  const known = labels.get(name);
  if (known !== undefined) return known;
  const made = name === "" ? "await" : `await ${name}`;
  labels.set(name, made);
  return made;
}

/** Lets a continuation wait for a value inside an execution. Throws what reading the promise's `constructor` throws. */
export function awaitValue(continuation: Continuation, value: unknown): void {
  continuation.frame = currentFrame();
  if (!isObject(value)) goOnWith(continuation, fulfilled, value);
  else if (isOwn(value) && value.constructor === OwnPromise) waitFor(continuation, value);
  else awaitObject(continuation, value);
}

function awaitObject(continuation: Continuation, value: object): void {
  let then: unknown;
  try {
    then = isObject(value) ? value.then : undefined;
  } catch (error) {
    goOnWith(continuation, rejected, error);
    return;
  }
  if (!isCallable(then)) {
    goOnWith(continuation, fulfilled, value);
    return;
  }
  const promise = pendingPromise();
  const told = listener();
  if (told !== null) told.around(promise);
  follow(promise, value, then);
  // Nobody else can see the promise that is put around a native one.
  waitFor(continuation, promise, types.isPromise(value) ? value : promise);
}

function waitFor(continuation: Continuation, promise: OwnPromise, seen: object = promise): void {
  continuation.awaited = promise;
  const told = listener();
  if (told !== null) told.awaiting(continuation, seen, takeSite());
  subscribe(promise, continuation);
}

function goOnWith(continuation: Continuation, outcome: number, value: unknown): void {
  continuation.outcome = outcome;
  continuation.value = value;
  const told = listener();
  if (told !== null) told.awaiting(continuation, null, takeSite());
  enqueue(continuation);
}
