/** The async iterator that `for await` and `yield*` make of a sync one: it awaits each value. */
import { ownResolve } from "./capability.ts";
import { closing } from "./closing.ts";
import { type Deferred, newDeferred } from "./deferred.ts";
import { Job, jobKinds } from "./job.ts";
import { fulfilled, type OwnPromise, resultOf, stateOf, subscribe } from "./promise.ts";
import { liveHost } from "./queue.ts";
import { type Bag, isCallable, isObject, shown } from "./shapes.ts";
import { listener } from "./told.ts";

export class AsyncFromSync {
  readonly [key: PropertyKey]: unknown;
  readonly #iterator: Bag;
  readonly #next: unknown;

  constructor(iterator: Bag) {
    this.#iterator = iterator;
    this.#next = iterator.next;
  }

  next(...values: readonly unknown[]): object {
    return answered((answer) => this.#go(answer, this.#next, values, true));
  }

  return(...values: readonly unknown[]): object {
    // As in V8, and against the letter of ECMAScript: reading it may throw, and then no promise is rejected.
    const method = this.#iterator.return;
    return answered((answer) => {
      if (method === undefined || method === null) answer.resolve({ value: values[0], done: true });
      else this.#go(answer, method, values, false);
    });
  }

  throw(...values: readonly unknown[]): object {
    const method = this.#iterator.throw;
    return answered((answer) => {
      if (method !== undefined && method !== null) this.#go(answer, method, values, true);
      else if (closing.withoutThrow) this.#closeWithoutThrow();
      else answer.reject(values[0]);
    });
  }

  /** Asks the sync iterator, and answers with its result once the value has been awaited. */
  #go(answer: Deferred, method: unknown, values: readonly unknown[], closes: boolean): void {
    const { done, value } = this.#asked(method, values, closes);
    const close = closes && closing.whenRejected && !done ? () => this.#close() : null;
    if (liveHost() === null) {
      void unwrapNatively(answer, value, done, close);
      return;
    }
    let awaited: OwnPromise;
    try {
      awaited = ownResolve(value);
    } catch (error) {
      close?.();
      throw error;
    }
    const unwrap = new Unwrap(awaited, answer, done, close);
    const told = listener();
    if (told !== null) told.reacting(unwrap, awaited, answer.promise);
    subscribe(awaited, unwrap);
  }

  #asked(method: unknown, values: readonly unknown[], closes: boolean): { done: boolean; value: unknown } {
    try {
      if (!isCallable(method)) throw new TypeError(`${shown(method)} is not a function`);
      const result = Reflect.apply(method, this.#iterator, values);
      if (!isObject(result)) throw new TypeError(`Iterator result ${shown(result)} is not an object`);
      return { done: Boolean(result.done), value: result.value };
    } catch (error) {
      if (closes && closing.whenThrown) this.#close();
      throw error;
    }
  }

  /** Closes the iterator because of an error, which nothing that happens here replaces. */
  #close(): void {
    try {
      const method = this.#iterator.return;
      if (isCallable(method)) Reflect.apply(method, this.#iterator, []);
    } catch {}
  }

  #closeWithoutThrow(): never {
    const method = this.#iterator.return;
    if (method !== undefined && method !== null) {
      if (!isCallable(method)) throw new TypeError(`${shown(method)} is not a function`);
      const result = Reflect.apply(method, this.#iterator, []);
      if (!isObject(result)) throw new TypeError(`Iterator result ${shown(result)} is not an object`);
    }
    throw new TypeError("The iterator does not provide a 'throw' method.");
  }
}

/** Answers what is asked with a promise; what asking throws rejects it. */
function answered(ask: (answer: Deferred) => void): object {
  const answer = newDeferred();
  try {
    ask(answer);
  } catch (error) {
    answer.reject(error);
  }
  return answer.promise;
}

class Unwrap extends Job {
  readonly #awaited: OwnPromise;
  readonly #answer: Deferred;
  readonly #done: boolean;
  readonly #close: (() => void) | null;

  constructor(awaited: OwnPromise, answer: Deferred, done: boolean, close: (() => void) | null) {
    super();
    this.#awaited = awaited;
    this.#answer = answer;
    this.#done = done;
    this.#close = close;
  }

  get kind(): number {
    return jobKinds.reaction;
  }

  get label(): string {
    return "then";
  }

  run(): void {
    const value = resultOf(this.#awaited);
    if (stateOf(this.#awaited) === fulfilled) {
      this.#answer.resolve({ value, done: this.#done });
      return;
    }
    this.#close?.();
    this.#answer.reject(value);
  }
}

async function unwrapNatively(
  answer: Deferred,
  awaited: unknown,
  done: boolean,
  close: (() => void) | null,
): Promise<void> {
  let value: unknown;
  try {
    value = await awaited;
  } catch (error) {
    close?.();
    answer.reject(error);
    return;
  }
  answer.resolve({ value, done });
}
