/**
 * The edge where untyped callers are met: a wrong shape ends here, before anything has changed; behind it the types hold.
 * What has the right shape and is merely not allowed (an empty path, an unknown id) is a refusal or stale, never an error.
 */

/** A mistake in the program that calls the lease scheduler; the lease state is as it was. */
export class LeaseInputError extends Error {
  override readonly name = "LeaseInputError";
}

export type Rule = readonly [expected: string, holds: (value: unknown) => boolean];
export type Shape = Readonly<Record<string, Rule>>;

export const text: Rule = ["a string", (value) => typeof value === "string"];
export const id: Rule = ["a non-empty string", (value) => typeof value === "string" && value !== ""];
export const texts: Rule = ["an array of strings", (value) => Array.isArray(value) && value.every(text[1])];
export const number: Rule = ["a finite number", Number.isFinite];
export const flag: Rule = ["a boolean", (value) => typeof value === "boolean"];
export const callback: Rule = ["a function", (value) => typeof value === "function"];
export const map: Rule = ["a Map", (value) => value instanceof Map];

export function oneOf(...words: readonly string[]): Rule {
  return [words.join(" or "), (value) => words.some((word) => word === value)];
}

/** Throws LeaseInputError unless the named fields keep their rules. What is no object at all has no fields. */
export function expectShape(place: string, value: unknown, shape: Shape): void {
  for (const [name, [expected, holds]] of Object.entries(shape)) {
    const found = read(value, name);
    if (holds(found)) continue;
    // Objects by their type only: their own toString may throw.
    const shown = Object(found) === found ? typeof found : String(found);
    throw new LeaseInputError(
      `Cannot use ${place}.${name}: expected ${expected}, found ${shown}; fix the caller, no lease changed`,
    );
  }
}

/** Reads a field without claiming a type. */
export function read(value: unknown, name: string): unknown {
  return Reflect.get(Object(value), name);
}
