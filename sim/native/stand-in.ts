const ordinaryHasInstance = Function.prototype[Symbol.hasInstance];

type Class = { readonly name: string; readonly prototype: object };

/**
 * Makes our class pass for Node's: by name, by `instanceof` in both directions, by the keys that a loop finds. What our
 * prototype had inherited from another class of ours becomes its own, because it now inherits from Node's.
 */
export function standIn(ours: Class, theirs: Class): void {
  const { prototype } = ours;
  const parent: unknown = Object.getPrototypeOf(prototype);
  if (isObject(parent) && parent !== Object.prototype) copyMissing(parent, prototype);
  Object.setPrototypeOf(prototype, theirs.prototype);
  for (const key of Object.keys(theirs.prototype)) {
    if (Object.hasOwn(prototype, key)) Object.defineProperty(prototype, key, { enumerable: true });
  }
  Object.defineProperty(ours, "name", { value: theirs.name });
  Object.defineProperty(ours, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // A subclass inherits this method, and asks for itself.
      if (this === ours) return isObject(value) && Object.prototype.isPrototypeOf.call(theirs.prototype, value);
      return Reflect.apply(ordinaryHasInstance, this, [value]) === true;
    },
  });
}

/** Gives ours what getMaxListeners() and its kin of node:events read off every one of theirs. */
export function countLike(ours: Class, theirs: object): void {
  for (const mark of Object.getOwnPropertySymbols(theirs)) {
    if (!mark.description?.startsWith("events.maxEventTargetListeners")) continue;
    Object.defineProperty(ours.prototype, mark, {
      value: Reflect.get(theirs, mark),
      writable: true,
      configurable: true,
    });
  }
}

function copyMissing(from: object, to: object): void {
  for (const key of Reflect.ownKeys(from)) {
    const descriptor = Object.getOwnPropertyDescriptor(from, key);
    if (descriptor !== undefined && !Object.hasOwn(to, key)) Object.defineProperty(to, key, descriptor);
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
