/**
 * Classes that extend Promise are defined when their module is loaded, long before any execution. What they extend turns
 * with the mode: between executions it inherits from the native Promise, inside one from ours, statics included.
 */
import { NativePromise } from "./native-promise.ts";
import { OwnPromise } from "./promise.ts";
import { liveHost } from "./queue.ts";

let asked = false;

class Heir {
  constructor(...executor: readonly unknown[]) {
    const parent = liveHost() === null ? NativePromise : OwnPromise;
    // biome-ignore lint/correctness/noConstructorReturn: the object has to be made by the Promise of the mode
    return Reflect.construct(parent, executor, new.target);
  }
}

Object.defineProperty(Heir, "name", { value: "Promise", configurable: true });
Object.defineProperty(Heir, "length", { value: 1, configurable: true });

/** Wraps what a class extends; anything but the native Promise comes back unchanged. */
export function heir(heritage: unknown): unknown {
  if (heritage !== NativePromise) return heritage;
  if (!asked) {
    asked = true;
    turnHeirs(liveHost() !== null);
  }
  return Heir;
}

/** Told when an execution begins and ends. Costs nothing where no class extends Promise. */
export function turnHeirs(live: boolean): void {
  if (!asked) return;
  const parent = live ? OwnPromise : NativePromise;
  if (Object.getPrototypeOf(Heir) === parent) return;
  Object.setPrototypeOf(Heir, parent);
  Object.setPrototypeOf(Heir.prototype, parent.prototype);
}
