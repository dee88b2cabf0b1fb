/** Promise.prototype.then of an execution, called on what is no promise of it. */
import { types } from "node:util";
import { nativeThen } from "./native-promise.ts";
import { liveHost } from "./queue.ts";
import { shown } from "./shapes.ts";

/** A native promise gets there through a class that extends Promise, or `Promise.prototype.then.call()`. */
export function foreignThen(receiver: unknown, onFulfilled: unknown, onRejected: unknown): object {
  if (types.isPromise(receiver)) {
    liveHost()?.foreign(receiver);
    return Reflect.apply(nativeThen, receiver, [onFulfilled, onRejected]);
  }
  throw new TypeError(`Method Promise.prototype.then called on incompatible receiver ${shown(receiver)}`);
}
