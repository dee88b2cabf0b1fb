/**
 * Who waits, function by function, for the one that runs: V8 writes that into its stacks (`at async main`), for functions
 * of its own. Kept as it stands at the moment of asking, because it changes.
 */
import type { Continuation } from "./continuation.ts";
import type { Job } from "./job.ts";

const callersTold = 10;
/** Promises on the way: `return other()` and Promise.all() put some between two functions. */
const stepsMost = 100;

export class AsyncCallers {
  /** By what it waits for, the first who does. */
  readonly #waiting = new WeakMap<object, { readonly job: Continuation; readonly where: Error | null }>();
  readonly #goesTo = new WeakMap<object, object>();
  readonly #derived = new WeakMap<Job, object>();
  readonly #continuations = new WeakMap<object, Continuation>();

  awaits(job: Continuation, promise: object | null, where: Error | null): void {
    this.#continuations.set(job, job);
    if (promise !== null && !this.#waiting.has(promise)) this.#waiting.set(promise, { job, where });
  }

  derives(job: Job, promise: object): void {
    this.#derived.set(job, promise);
  }

  /** What becomes of `promise` becomes of `result`, or is a part of it. */
  goesTo(promise: object, result: object): void {
    if (!this.#goesTo.has(promise)) this.#goesTo.set(promise, result);
  }

  isContinuation(job: object): boolean {
    return this.#continuations.has(job);
  }

  /** The awaits of those who wait for a job, the nearest first. */
  of(job: Job): readonly Error[] {
    const callers: Error[] = [];
    let promise = this.#settledBy(job);
    for (let steps = 0; promise !== undefined && steps < stepsMost && callers.length < callersTold; steps++) {
      const waiting = this.#waiting.get(promise);
      if (waiting === undefined) {
        promise = this.#goesTo.get(promise);
        continue;
      }
      if (waiting.where !== null) callers.push(waiting.where);
      promise = this.#settledBy(waiting.job);
    }
    return callers;
  }

  #settledBy(job: Job): object | undefined {
    return this.#continuations.get(job)?.settles()[0] ?? this.#derived.get(job);
  }
}
