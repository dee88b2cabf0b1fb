/** What makes native promises and is seen without any hook, in every execution. */
import type { LeakKind } from "../../native/leaks/kinds.ts";
import type { Patch } from "../../native/realm/patch.ts";
import { type Callable, isCallable } from "../shapes.ts";

/** Makes the replacements; `leaked` is told of each use, in the stack of the caller. */
export function promiseLeakPatches(leaked: (kind: LeakKind) => void): Patch[] {
  const real: unknown = Reflect.get(Array, "fromAsync");
  // What this platform does not have must not appear on it.
  if (!isCallable(real)) return [];
  const fromAsync: Callable = function (this: unknown, ...args) {
    leaked("Array.fromAsync");
    return Reflect.apply(real, this, args);
  };
  return [{ target: Array, key: "fromAsync", value: fromAsync }];
}
