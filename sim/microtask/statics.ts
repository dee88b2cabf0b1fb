/** `Promise.resolve`, `reject`, and, where the Node that runs has them, `withResolvers` and `try`. */
import { newCapability, promiseResolve } from "./capability.ts";
import { define, defineConstant } from "./define.ts";
import { NativePromise } from "./native-promise.ts";
import { OwnPromise } from "./promise.ts";
import { type Callable, isObject } from "./shapes.ts";
import { listener } from "./told.ts";

const always = {
  resolve(this: unknown, value: unknown): object {
    if (!isObject(this)) throw new TypeError("PromiseResolve called on non-object");
    return promiseResolve(this, value);
  },
  reject(this: unknown, reason: unknown): object {
    if (!isObject(this)) throw new TypeError("PromiseResolve called on non-object");
    const { promise, reject } = newCapability(this);
    reject(reason);
    return promise;
  },
};

const newer = {
  withResolvers(this: unknown): object {
    if (!isObject(this)) throw new TypeError("Promise.withResolvers called on non-object");
    const { promise, resolve, reject } = newCapability(this);
    const told = listener();
    if (told !== null) told.handedOut(promise, "caller");
    return { promise, resolve, reject };
  },
  try(this: unknown, callback: Callable, ...args: readonly unknown[]): object {
    if (!isObject(this)) throw new TypeError("Promise.try called on non-object");
    const { promise, resolve, reject } = newCapability(this);
    let result: unknown;
    try {
      result = callback(...args);
    } catch (error) {
      reject(error);
      return promise;
    }
    resolve(result);
    return promise;
  },
};

const species = {
  get [Symbol.species]() {
    return this;
  },
};

/** Called once, by the runtime. */
export function installStatics(): void {
  defineConstant(OwnPromise, "name", "Promise");
  define(OwnPromise, always);
  for (const [name, method] of Object.entries(newer)) if (name in NativePromise) define(OwnPromise, { [name]: method });
  define(OwnPromise, species);
}
