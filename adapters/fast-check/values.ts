/**
 * Values that an arbitrary has made, as executions and repros need them: every execution gets a copy of its own, because
 * a body that changes its value would find it changed in the next one; a repro keeps what is JSON.
 */
import { cloneIfNeeded } from "fast-check";

/** A copy for one execution. What is neither plain data nor knows how to be cloned is given as it is. */
export function fresh(value: unknown): unknown {
  return isPlain(value, []) ? copied(value) : cloneIfNeeded(value);
}

/** True when JSON gives the value back as it was, but for objects without a prototype, which get the usual one. */
export function isJson(value: unknown): boolean {
  return isPlain(value, []);
}

function isPlain(value: unknown, above: readonly object[]): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0);
    case "object": {
      if (value === null) return true;
      if (above.includes(value)) return false;
      const parts = partsOf(value);
      return parts?.every((part) => isPlain(part, [...above, value])) ?? false;
    }
    default:
      return false;
  }
}

/** What an array or a plain object holds; null where something else belongs to it, too. */
function partsOf(value: object): readonly unknown[] | null {
  const keys = Reflect.ownKeys(value);
  if (Array.isArray(value)) return keys.length === value.length + 1 ? [...value] : null;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return null;
  const parts: unknown[] = [];
  for (const key of keys) {
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    if (typeof key === "symbol" || descriptor?.enumerable !== true || !("value" in descriptor)) return null;
    parts.push(descriptor.value);
  }
  return parts;
}

function copied(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copied);
  const copy: object = Object.create(Object.getPrototypeOf(value));
  for (const [key, part] of Object.entries(value)) {
    // Defined, not assigned: a generated key may well be "__proto__".
    Object.defineProperty(copy, key, { value: copied(part), enumerable: true, writable: true, configurable: true });
  }
  return copy;
}
