/** Calls the `then` that a value has, whoever's it is. */
import { type Bag, isCallable, isObject, shown } from "./shapes.ts";

export function invokeThen(promise: unknown, ...handlers: readonly unknown[]): unknown {
  const then = isObject(promise) ? promise.then : readPrimitive(promise, "then");
  if (!isCallable(then)) throw new TypeError(`${shown(then)} is not a function`);
  return Reflect.apply(then, promise, handlers);
}

/** A number has properties, too. */
function readPrimitive(from: unknown, key: string): unknown {
  if (from === undefined || from === null) throw new TypeError(`Cannot read properties of ${from} (reading '${key}')`);
  const holder: Bag = Object(from);
  return Reflect.get(holder, key, from);
}
