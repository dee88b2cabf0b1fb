/** Properties that have another value while a batch runs, and what was found in their place. */
import { ScenarioError } from "../../scenario.ts";

/**
 * One property of one object, with a value or a setter. Without either it stays as it is: code under test may replace
 * it, and then it is put back, too.
 */
export type Patch = {
  readonly target: object;
  readonly key: PropertyKey;
  readonly value?: unknown;
  readonly set?: (value: unknown) => void;
};

type Found = Pick<Patch, "target" | "key"> & {
  readonly descriptor: PropertyDescriptor | undefined;
  readonly replaced: boolean;
};

// Taken now: code under test may replace them, and what was found must be restored all the same.
const { getOwnPropertyDescriptor, defineProperty } = Object;
const { deleteProperty } = Reflect;

export function patchesOf(target: object, values: object): Patch[] {
  return Object.entries(values).map(([key, value]) => ({ target, key, value }));
}

/** Properties that are only watched. */
export function kept(target: object, ...keys: readonly PropertyKey[]): Patch[] {
  return keys.map((key) => ({ target, key }));
}

/** The same properties of several objects; those that are one and the same object count once. */
export function onEach(targets: readonly object[], patches: (target: object) => Patch[]): Patch[] {
  return [...new Set(targets)].flatMap(patches);
}

/**
 * Makes functions that code under test may keep past the batch (a module that was loaded inside an execution takes them
 * for Node's own): when theirs is over they do what stands in their place by then.
 */
export function whileInPlace(patches: readonly Patch[], isInPlace: () => boolean): Patch[] {
  return patches.map((patch) => {
    const { target, key, value } = patch;
    if (!isFunction(value)) return patch;
    const ours = value;
    function standIn(this: unknown, ...args: unknown[]): unknown {
      const instead: unknown = isInPlace() ? ours : Reflect.get(target, key);
      return Reflect.apply(isFunction(instead) && instead !== standIn ? instead : ours, this, args);
    }
    for (const own of Reflect.ownKeys(value)) {
      const descriptor = getOwnPropertyDescriptor(value, own);
      if (descriptor !== undefined) Object.defineProperty(standIn, own, descriptor);
    }
    return { target, key, value: standIn };
  });
}

function isFunction(value: unknown): value is (...args: unknown[]) => unknown {
  return typeof value === "function";
}

export class Replacements {
  #found: Found[] = [];

  install(patches: readonly Patch[]): void {
    for (const patch of patches) {
      const { target, key } = patch;
      const descriptor = getOwnPropertyDescriptor(target, key);
      const { set } = patch;
      const replaced = "value" in patch || set !== undefined;
      this.#found.push({ target, key, descriptor, replaced });
      if (!replaced) continue;
      const enumerable = descriptor?.enumerable ?? true;
      const instead = set === undefined ? { value: patch.value, writable: true } : { set };
      Object.defineProperty(target, key, { ...instead, configurable: true, enumerable });
    }
  }

  /** Restores everything it can, in reverse order, and throws for the first property that it cannot. */
  restore(): void {
    const lost: PropertyKey[] = [];
    for (const found of this.#found.reverse()) {
      if (!putBack(found)) lost.push(found.key);
    }
    this.#found = [];
    if (lost.length > 0) {
      const names = lost.map(String).join(", ");
      throw new ScenarioError(`Cannot restore ${names}: the code under test has frozen what it belongs to`);
    }
  }
}

function putBack({ target, key, descriptor, replaced }: Found): boolean {
  if (descriptor === undefined) return deleteProperty(target, key);
  if (!replaced && isSame(descriptor, getOwnPropertyDescriptor(target, key))) return true;
  try {
    defineProperty(target, key, descriptor);
    return true;
  } catch {
    return false;
  }
}

function isSame(one: PropertyDescriptor, other: PropertyDescriptor | undefined): boolean {
  return (
    other !== undefined &&
    Object.is(one.value, other.value) &&
    one.get === other.get &&
    one.set === other.set &&
    one.writable === other.writable &&
    one.enumerable === other.enumerable &&
    one.configurable === other.configurable
  );
}
