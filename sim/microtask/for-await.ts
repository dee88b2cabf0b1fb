/** `for await`: asks for each result, and closes the iterator when the body leaves early. */
import { type AsyncIteratorRecord, asyncIteratorOf } from "./async-iterator.ts";
import type { ForAwait } from "./lowered.ts";
import { isCallable, isObject, shown } from "./shapes.ts";
import { keepSite, listener } from "./told.ts";

export function beginForAwait(iterable: unknown): ForAwait {
  return new Walk(asyncIteratorOf(iterable));
}

class Walk implements ForAwait {
  value: unknown = undefined;
  open = false;
  readonly #record: AsyncIteratorRecord;

  constructor(record: AsyncIteratorRecord) {
    this.#record = record;
  }

  next(): unknown {
    this.open = false;
    const { iterator, next } = this.#record;
    if (!isCallable(next)) throw new TypeError(`${shown(next)} is not a function`);
    const asked = Reflect.apply(next, iterator, []);
    // Not before: what it has run may have awaited something itself.
    if (listener() !== null) keepSite();
    return asked;
  }

  more(result: unknown): boolean {
    if (!isObject(result)) throw new TypeError(`Iterator result ${shown(result)} is not an object`);
    if (result.done) return false;
    this.value = result.value;
    this.open = true;
    return true;
  }

  *failed(): Generator<unknown, void, unknown> {
    try {
      yield* this.#close();
    } catch {}
  }

  *left(): Generator<unknown, void, unknown> {
    for (const result of yield* this.#close()) {
      if (!isObject(result)) throw new TypeError(`Iterator result ${shown(result)} is not an object`);
    }
  }

  /** Gives what the iterator answered, if it can be closed at all. */
  *#close(): Generator<unknown, readonly unknown[], unknown> {
    this.open = false;
    const { iterator } = this.#record;
    const method = iterator.return;
    if (method === undefined || method === null) return [];
    if (!isCallable(method)) throw new TypeError(`${shown(method)} is not a function`);
    const asked: unknown = Reflect.apply(method, iterator, []);
    if (listener() !== null) keepSite();
    return [yield asked];
  }
}
