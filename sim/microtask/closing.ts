/**
 * When the running engine closes the sync iterator below a `for await` or a `yield*`. ECMAScript changed its mind, V8 13
 * followed and went further, and code under test sees the difference: so the engine is asked, and not for its version.
 */
export const closing = {
  /** A value that was promised is rejected: the iterator is closed. */
  whenRejected: closesWhenRejected(),
  /** The iterator itself throws, or its result does: it is closed, against the letter of ECMAScript. */
  whenThrown: closesWhenThrown(),
  /** The iterator is to be told of an error and has no `throw`: it is closed, and the error becomes a TypeError. */
  withoutThrow: false,
};

// The answer to the last question takes some ticks; until then it is that to the first.
closing.withoutThrow = closing.whenRejected;
void closesWithoutThrow().then((closes) => {
  closing.withoutThrow = closes;
});

/** Shows itself at once when the promise cannot even be awaited. */
function closesWhenRejected(): boolean {
  const unawaitable = Promise.resolve();
  Object.defineProperty(unawaitable, "constructor", {
    get() {
      throw new Error("Asked by a probe");
    },
  });
  const [probe, iterable] = probing(unawaitable);
  void walk(iterable).catch(() => {});
  return probe.closed;
}

function closesWhenThrown(): boolean {
  const [probe, iterable] = probing(undefined, () => {
    throw new Error("Asked by a probe");
  });
  void walk(iterable).catch(() => {});
  return probe.closed;
}

async function closesWithoutThrow(): Promise<boolean> {
  const [probe, iterable] = probing(undefined);
  const generator = delegating(iterable);
  await generator.next();
  await generator.throw(new Error("Asked by a probe")).catch(() => {});
  return probe.closed;
}

function probing(
  value: unknown,
  next: () => IteratorResult<unknown> = () => ({ value, done: false }),
): readonly [{ closed: boolean }, Iterable<unknown>] {
  const probe = { closed: false };
  const iterator: Iterator<unknown> = {
    next,
    return: () => {
      probe.closed = true;
      return { value: undefined, done: true };
    },
  };
  return [probe, { [Symbol.iterator]: () => iterator }];
}

async function walk(iterable: Iterable<unknown>): Promise<void> {
  for await (const _ of iterable) return;
}

async function* delegating(iterable: Iterable<unknown>): AsyncGenerator<unknown, void, unknown> {
  yield* iterable;
}
