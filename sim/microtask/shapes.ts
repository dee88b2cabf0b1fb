/** What a value of somebody else is, as ECMAScript asks it. */

/** An object whose properties are read one at a time, each read being visible to the object. */
export type Bag = { readonly [key: PropertyKey]: unknown };
export type Callable = (this: unknown, ...args: readonly unknown[]) => unknown;
export type Constructor = new (...args: readonly unknown[]) => object;

export function isObject(value: unknown): value is Bag {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

export function isCallable(value: unknown): value is Callable {
  return typeof value === "function";
}

export function isConstructor(value: unknown): value is Constructor {
  if (typeof value !== "function") return false;
  try {
    // Only asks whether value may be a new.target: Object makes nothing of it but its prototype.
    Reflect.construct(Boundless, [], value);
    return true;
  } catch {
    return false;
  }
}

/** Asked with a new.target, makes an object without looking at that one's prototype. */
const Boundless = new Proxy(class {}, { construct: () => ({}) });

/** Names a value in a message, as V8 does. */
export function shown(value: unknown): string {
  if (typeof value === "string") return `"${value}"`;
  if (typeof value === "function" || !isObject(value)) return String(value);
  const { constructor: made } = value;
  const name = isObject(made) ? made.name : undefined;
  return Array.isArray(value) ? "[object Array]" : `#<${typeof name === "string" ? name : "Object"}>`;
}
