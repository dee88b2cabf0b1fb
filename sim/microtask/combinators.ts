/** `Promise.all`, `allSettled`, `any` and `race`. */
import { type Capability, newCapability } from "./capability.ts";
import { define } from "./define.ts";
import { invokeThen } from "./invoke.ts";
import { OwnPromise } from "./promise.ts";
import { type Callable, isCallable, isObject } from "./shapes.ts";
import { type Combining, listener } from "./told.ts";

/** What is done with the promise of each value, and when there are no more. */
type Course = { readonly each: (promise: unknown) => void; readonly end: () => void };

const combinators = {
  all(this: unknown, iterable: Iterable<unknown>): object {
    return combine("all", this, iterable, ({ resolve, reject }) => {
      const gathering = new Gathering(resolve);
      return gathering.course((promise, index) => {
        const settled = new Once(gathering, index);
        invokeThen(promise, settled.with(itself), reject);
      });
    });
  },
  allSettled(this: unknown, iterable: Iterable<unknown>): object {
    return combine("allSettled", this, iterable, ({ resolve }) => {
      const gathering = new Gathering(resolve);
      return gathering.course((promise, index) => {
        const settled = new Once(gathering, index);
        const whenFulfilled = settled.with((value) => ({ status: "fulfilled", value }));
        const whenRejected = settled.with((reason) => ({ status: "rejected", reason }));
        invokeThen(promise, whenFulfilled, whenRejected);
      });
    });
  },
  any(this: unknown, iterable: Iterable<unknown>): object {
    return combine("any", this, iterable, ({ resolve, reject }) => {
      const gathering = new Gathering((reasons) => reject(new AggregateError(reasons, "All promises were rejected")));
      return gathering.course((promise, index) => {
        const settled = new Once(gathering, index);
        invokeThen(promise, resolve, settled.with(itself));
      });
    });
  },
  race(this: unknown, iterable: Iterable<unknown>): object {
    return combine("race", this, iterable, ({ resolve, reject }) => ({
      each: (promise) => invokeThen(promise, resolve, reject),
      end: () => {},
    }));
  },
};

/** Called once, by the runtime. */
export function installCombinators(): void {
  define(OwnPromise, combinators);
}

function combine(
  how: Combining,
  maker: unknown,
  iterable: Iterable<unknown>,
  begin: (result: Capability) => Course,
): object {
  const result = newCapability(maker);
  const told = listener();
  try {
    const resolve = isObject(maker) ? maker.resolve : undefined;
    if (!isCallable(resolve)) throw new TypeError("resolve is not a function");
    refusePrimitive(iterable);
    const { each, end } = begin(result);
    // The loop closes the iterator when one of these throws, and not when the iterator itself did.
    for (const value of iterable) {
      const promise = Reflect.apply(resolve, maker, [value]);
      if (told !== null) told.combining(how, result.promise, promise);
      each(promise);
    }
    end();
  } catch (error) {
    const { reject } = result;
    reject(error);
  }
  return result.promise;
}

/** The values of all, in order, given away when the last one has come. */
class Gathering {
  readonly #finish: (values: unknown[]) => unknown;
  readonly #values: unknown[] = [];
  /** One more than the values that are to come, until the iterable has ended. */
  #missing = 1;

  constructor(finish: (values: unknown[]) => unknown) {
    this.#finish = finish;
  }

  course(each: (promise: unknown, index: number) => void): Course {
    return {
      each: (promise) => {
        this.#missing++;
        each(promise, this.#values.push(undefined) - 1);
      },
      end: () => this.#countDown(),
    };
  }

  put(index: number, value: unknown): unknown {
    this.#values[index] = value;
    return this.#countDown();
  }

  #countDown(): unknown {
    return --this.#missing === 0 ? this.#finish(this.#values) : undefined;
  }
}

/** One place of the gathering, which is filled once, whoever calls. */
class Once {
  readonly #gathering: Gathering;
  readonly #index: number;
  #called = false;

  constructor(gathering: Gathering, index: number) {
    this.#gathering = gathering;
    this.#index = index;
  }

  with(shape: (value: unknown) => unknown): Callable {
    return (value) => {
      if (this.#called) return undefined;
      this.#called = true;
      return this.#gathering.put(this.#index, shape(value));
    };
  }
}

function itself(value: unknown): unknown {
  return value;
}

/** Says so in V8's words. */
function refusePrimitive(iterable: unknown): void {
  if (isObject(iterable) || typeof iterable === "string") return;
  const named = iterable === undefined ? "undefined" : `${typeof iterable} ${String(iterable)}`;
  throw new TypeError(`${named} is not iterable (cannot read property Symbol(Symbol.iterator))`);
}
