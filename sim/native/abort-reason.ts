/** The reason of an abort() that gives none, made when it is read: a DOMException takes longer than all the rest. */
export class DefaultReason {
  #exception: DOMException | null = null;

  get exception(): DOMException {
    this.#exception ??= new DOMException("This operation was aborted", "AbortError");
    return this.#exception;
  }
}

/** Where stacks are kept, the one of the abort is wanted: there the exception is made at once. */
export function reasonOrDefault(why: unknown): unknown {
  if (why !== undefined) return why;
  const made = new DefaultReason();
  return Error.stackTraceLimit === 0 ? made : made.exception;
}
