/**
 * What the body of an async generator gives its driver besides what it awaits. The value is kept here for the moment
 * between the call that marks it and the yield that follows, where nothing else can run.
 */

/** `yield X`: await X, then give it to whoever asked. */
export const yields = { mark: "yield" };
/** A value that came through `yield*`: give it as it is, and let the body hear how it was resumed. */
export const delegates = { mark: "yield*" };
/** The iterator of a `yield*` has returned: so does the body. */
export const returns = { mark: "return" };

let marked: unknown;

export function marking(mark: object, value: unknown): object {
  marked = value;
  return mark;
}

export function takeMarked(): unknown {
  const value = marked;
  marked = undefined;
  return value;
}
