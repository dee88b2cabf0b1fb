/** How `for await` and `yield*` get the async iterator of a value: its own, or one made of its sync iterator. */
import { AsyncFromSync } from "./async-from-sync.ts";
import { type Bag, isCallable, isObject, shown } from "./shapes.ts";

export type AsyncIteratorRecord = { readonly iterator: Bag; readonly next: unknown };

export function asyncIteratorOf(iterable: unknown): AsyncIteratorRecord {
  if (iterable === undefined || iterable === null) throw new TypeError(`${iterable} is not async iterable`);
  const holder: Bag = Object(iterable);
  const method = holder[Symbol.asyncIterator];
  if (method === undefined || method === null) return fromSync(iterable, holder[Symbol.iterator]);
  if (!isCallable(method)) throw new TypeError(`${shown(iterable)} is not async iterable`);
  const iterator = Reflect.apply(method, iterable, []);
  if (!isObject(iterator)) throw new TypeError("Result of the Symbol.asyncIterator method is not an object");
  return { iterator, next: iterator.next };
}

function fromSync(iterable: unknown, method: unknown): AsyncIteratorRecord {
  if (!isCallable(method)) throw new TypeError(`${shown(iterable)} is not async iterable`);
  const iterator = Reflect.apply(method, iterable, []);
  if (!isObject(iterator)) throw new TypeError("Result of the Symbol.iterator method is not an object");
  const wrapped = new AsyncFromSync(iterator);
  return { iterator: wrapped, next: wrapped.next };
}
