/**
 * AsyncLocalStorage, held by the frames of our jobs. The methods of Node's own class are replaced, because modules have
 * taken hold of the class long before; `bind` and `snapshot` are made of AsyncResource, and follow it.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { RealmHost } from "../../native/realm/host.ts";
import { type Patch, patchesOf } from "../../native/realm/patch.ts";
import type { Callable } from "../shapes.ts";
import { enterStores, heldStores, hold, holding } from "./stores.ts";

// Typed so that nothing is missed when the lines below take methods off it.
const prototype: AsyncLocalStorage<unknown> = AsyncLocalStorage.prototype;
const real = {
  getStore: prototype.getStore,
  run: prototype.run,
  exit: prototype.exit,
  enterWith: prototype.enterWith,
  disable: prototype.disable,
};

/**
 * Up to Node 23 a storage is switched on by run() and enterWith(), off by disable(), and off while exit() runs: then it
 * answers nobody, wherever the question comes from. After that, disable() empties only the frame of whoever calls.
 */
export const storagesSwitchOff = "_enable" in prototype;

export function asyncLocalStoragePatches(host: Pick<RealmHost, "execution" | "live">): Patch[] {
  const off = new SwitchedOff(host);

  function getStore(this: AsyncLocalStorage<unknown>): unknown {
    if (!host.live) return Reflect.apply(real.getStore, this, []);
    if (off.has(this)) return undefined;
    const stores = heldStores();
    // What was entered around the whole exploration, or what the storage was made with.
    return stores?.has(this) ? stores.get(this) : Reflect.apply(real.getStore, this, []);
  }
  function run(this: AsyncLocalStorage<unknown>, store: unknown, callback: Callable, ...args: unknown[]): unknown {
    if (!host.live) return Reflect.apply(real.run, this, [store, callback, ...args]);
    if (Object.is(store, this.getStore())) return Reflect.apply(callback, null, args);
    off.delete(this);
    return holding(this, store, () => Reflect.apply(callback, null, args));
  }
  function exit(this: AsyncLocalStorage<unknown>, callback: Callable, ...args: unknown[]): unknown {
    if (!host.live) return Reflect.apply(real.exit, this, [callback, ...args]);
    if (!storagesSwitchOff) return this.run(undefined, callback, ...args);
    if (off.has(this)) return Reflect.apply(callback, null, args);
    return holding(this, undefined, () => {
      off.add(this);
      try {
        return Reflect.apply(callback, null, args);
      } finally {
        off.delete(this);
      }
    });
  }
  function enterWith(this: AsyncLocalStorage<unknown>, store: unknown): unknown {
    if (!host.live) return Reflect.apply(real.enterWith, this, [store]);
    off.delete(this);
    return hold(this, store);
  }
  function disable(this: AsyncLocalStorage<unknown>): unknown {
    if (!host.live) return Reflect.apply(real.disable, this, []);
    if (storagesSwitchOff) off.add(this);
    const stores = new Map(heldStores());
    return stores.delete(this) ? enterStores(stores) : undefined;
  }
  return patchesOf(prototype, { getStore, run, exit, enterWith, disable });
}

/** The storages that are switched off in the execution under way: the next one finds them as they were made. */
class SwitchedOff {
  readonly #host: Pick<RealmHost, "execution" | "live">;
  #execution = -1;
  readonly #storages = new Set<object>();

  constructor(host: Pick<RealmHost, "execution" | "live">) {
    this.#host = host;
  }

  has(storage: object): boolean {
    return this.#storages.size > 0 && this.#execution === this.#host.execution && this.#storages.has(storage);
  }

  add(storage: object): void {
    if (this.#execution !== this.#host.execution) this.#storages.clear();
    this.#execution = this.#host.execution;
    this.#storages.add(storage);
  }

  delete(storage: object): void {
    if (this.#storages.size > 0) this.#storages.delete(storage);
  }
}
