/** The jobs that run when a promise is settled: a handler of `then()`, and one promise having the fate of another. */
import type { Capability } from "./capability.ts";
import { Job, jobKinds } from "./job.ts";
import { fulfilled, type OwnPromise, rejected, resultOf, settle, stateOf } from "./promise.ts";
import { resolve } from "./resolution.ts";
import type { Callable } from "./shapes.ts";

abstract class Reaction extends Job {
  declare readonly source: OwnPromise;

  constructor(source: OwnPromise) {
    super();
    this.source = source;
  }

  get kind(): number {
    return jobKinds.reaction;
  }

  get label(): string {
    return "then";
  }
}

/** Calls a handler and settles the promise that `then()` returned. */
export class ThenReaction extends Reaction {
  declare readonly onFulfilled: Callable | null;
  declare readonly onRejected: Callable | null;
  declare readonly derived: OwnPromise;

  constructor(source: OwnPromise, onFulfilled: Callable | null, onRejected: Callable | null, derived: OwnPromise) {
    super(source);
    this.onFulfilled = onFulfilled;
    this.onRejected = onRejected;
    this.derived = derived;
  }

  run(): void {
    const state = stateOf(this.source);
    const value = resultOf(this.source);
    const handler = state === fulfilled ? this.onFulfilled : this.onRejected;
    if (handler === null) {
      if (state === fulfilled) resolve(this.derived, value);
      else settle(this.derived, rejected, value);
      return;
    }
    let result: unknown;
    try {
      result = handler(value);
    } catch (error) {
      settle(this.derived, rejected, error);
      return;
    }
    resolve(this.derived, result);
  }
}

/** The same where a subclass makes the promise that `then()` returned. */
export class CapabilityReaction extends Reaction {
  declare readonly onFulfilled: Callable | null;
  declare readonly onRejected: Callable | null;
  declare readonly derived: Capability;

  constructor(source: OwnPromise, onFulfilled: Callable | null, onRejected: Callable | null, derived: Capability) {
    super(source);
    this.onFulfilled = onFulfilled;
    this.onRejected = onRejected;
    this.derived = derived;
  }

  run(): void {
    const state = stateOf(this.source);
    const value = resultOf(this.source);
    const { resolve, reject } = this.derived;
    const handler = state === fulfilled ? this.onFulfilled : this.onRejected;
    if (handler === null && state === rejected) {
      reject(value);
      return;
    }
    // As in V8, and against the letter of ECMAScript: a `resolve` that throws is answered by `reject`.
    let result: unknown;
    try {
      result = handler === null ? value : handler(value);
      resolve(result);
    } catch (error) {
      reject(error);
    }
  }
}

/** One promise has the fate of another, as if it had been given its two resolving functions. */
export class Forward extends Reaction {
  declare readonly target: OwnPromise;

  constructor(source: OwnPromise, target: OwnPromise) {
    super(source);
    this.target = target;
  }

  run(): void {
    if (stateOf(this.source) === fulfilled) resolve(this.target, resultOf(this.source));
    else settle(this.target, rejected, resultOf(this.source));
  }
}
