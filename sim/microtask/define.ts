/** Puts methods where ECMAScript has them: hidden from enumeration, writable, without a constructor of their own. */
export function define(target: object, methods: object): void {
  for (const key of Reflect.ownKeys(methods)) {
    const property = Object.getOwnPropertyDescriptor(methods, key);
    if (property !== undefined) Object.defineProperty(target, key, { ...property, enumerable: false });
  }
}

/** Defines a constant that code may redefine but not write. */
export function defineConstant(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: false, enumerable: false, configurable: true });
}
