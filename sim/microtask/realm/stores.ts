/** What the AsyncLocalStorages hold, as part of the frame: never changed, because every waiting job keeps its frame. */
import type { Frame } from "../frame.ts";
import { runtime } from "../runtime.ts";

// Lowered code may have found a runtime of another copy of this package: that one holds the frames.
const { currentFrame, enterFrame } = runtime.microtasks;

export type Stores = ReadonlyMap<object, unknown>;

/** What the running code's frame holds; null: nothing was entered in this execution. */
export function heldStores(): Stores | null {
  return storesOf(currentFrame());
}

export function storesOf(frame: Frame | null): Stores | null {
  const stores = frame?.stores;
  return stores instanceof Map ? stores : null;
}

/** Lets the code that runs now, and what it asks for from here on, find this in the storage. */
export function hold(storage: object, store: unknown): void {
  enterStores(new Map(heldStores()).set(storage, store));
}

/** Runs a function while the storage holds something, then puts back what it held, whatever became of the others. */
export function holding(storage: object, store: unknown, act: () => unknown): unknown {
  const before = currentFrame();
  hold(storage, store);
  const own = currentFrame();
  try {
    return act();
  } finally {
    if (currentFrame() === own) enterFrame(before);
    else putBack(storage, storesOf(before));
  }
}

/** Runs a function with other stores, on behalf of whoever owns the code that runs now. */
export function within(stores: Stores | null, act: () => unknown): unknown {
  const before = currentFrame();
  enterStores(stores);
  try {
    return act();
  } finally {
    enterFrame(before);
  }
}

export function enterStores(stores: Stores | null): void {
  enterFrame({ owner: currentFrame()?.owner ?? null, stores });
}

function putBack(storage: object, before: Stores | null): void {
  const stores = new Map(heldStores());
  if (before?.has(storage)) stores.set(storage, before.get(storage));
  else stores.delete(storage);
  enterStores(stores);
}
