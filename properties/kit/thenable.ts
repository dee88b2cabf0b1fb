/** Tells whether somebody else's value is to be awaited. Looking at it cannot fail. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  try {
    return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
  } catch {
    // A trap or a getter of it throws: then to await it would throw, too.
    return false;
  }
}
