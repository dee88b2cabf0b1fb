/**
 * AsyncResource: it keeps the stores of the frame it is made in, and its functions run with them. Classes that extend it
 * were defined before any execution, and their instances are seen being made all the same: the constructor of Node's own
 * class sets a property, and the prototype has a setter for it.
 */
import { AsyncResource } from "node:async_hooks";
import type { RealmHost } from "../../native/realm/host.ts";
import type { Patch } from "../../native/realm/patch.ts";
import type { Callable } from "../shapes.ts";
import { storagesSwitchOff } from "./async-local-storage.ts";
import { heldStores, type Stores, within } from "./stores.ts";

const { prototype } = AsyncResource;
const { runInAsyncScope } = prototype;
const mark = lastMark();
/** Resource → what the storages held where it was made. */
const kept = new WeakMap<object, Stores | null>();

export function asyncResourcePatches(host: Pick<RealmHost, "live">): Patch[] {
  function virtualRunInAsyncScope(this: object, callback: Callable, self?: unknown, ...args: unknown[]): unknown {
    const run = (): unknown => Reflect.apply(runInAsyncScope, this, [callback, self, ...args]);
    if (!host.live) return run();
    // One of before the execution: Node knows what the storages held there.
    return within(kept.get(this) ?? null, () => {
      try {
        return run();
      } finally {
        // What enterWith() does inside stays with the resource there.
        if (storagesSwitchOff) kept.set(this, heldStores());
      }
    });
  }
  const patches: Patch[] = [{ target: prototype, key: "runInAsyncScope", value: virtualRunInAsyncScope }];
  if (mark === null) return patches;
  const key = mark;
  function made(this: object, value: unknown): void {
    Object.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true });
    if (host.live) kept.set(this, heldStores());
  }
  return [...patches, { target: prototype, key, set: made }];
}

/** The last of the symbols under which the constructor keeps its numbers; null: this Node keeps them elsewhere. */
function lastMark(): symbol | null {
  const marks = Object.getOwnPropertySymbols(new AsyncResource("microloom"));
  return marks.find(({ description }) => description === "trigger_async_id_symbol") ?? null;
}
