/** Throws when a promise this code makes to itself is broken: a bug of ours, never a mistake of the caller. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Broken assertion: ${message}`);
}

/** Closes a `switch` over a union: the compiler proves that nothing is left, and a stray value is named. */
export function assertNever(value: never): never {
  assert(false, `unexpected ${JSON.stringify(value)}`);
}
