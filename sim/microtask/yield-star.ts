/** `yield*` of an async generator. */
import { asyncIteratorOf } from "./async-iterator.ts";
import { delegates, marking, returns } from "./marks.ts";
import { goesNext, goesReturn, goesThrow, type Resumption } from "./resumption.ts";
import { isCallable, isObject, shown } from "./shapes.ts";
import { keepSite, listener } from "./told.ts";

export function* yieldAll(iterable: unknown): Generator<unknown, unknown, unknown> {
  const { iterator, next } = asyncIteratorOf(iterable);
  let resumption: unknown = first;
  for (;;) {
    if (!isResumption(resumption)) return undefined;
    const { kind, value } = resumption;
    const method: unknown = kind === goesNext ? next : kind === goesThrow ? iterator.throw : iterator.return;
    if (method === undefined || method === null) {
      if (kind === goesReturn) yield marking(returns, yield value);
      if (kind === goesThrow) yield* closeForThrow(iterator.return, iterator);
    }
    if (!isCallable(method)) throw new TypeError(`${shown(method)} is not a function`);
    const asked: unknown = Reflect.apply(method, iterator, [value]);
    if (listener() !== null) keepSite();
    const result = yield asked;
    if (!isObject(result)) throw new TypeError(`Iterator result ${shown(result)} is not an object`);
    if (result.done) {
      if (kind !== goesReturn) return result.value;
      yield marking(returns, result.value);
    }
    resumption = yield marking(delegates, result.value);
  }
}

const first: Resumption = { kind: goesNext, value: undefined };

function isResumption(value: unknown): value is Resumption {
  return isObject(value) && "kind" in value;
}

/** The iterator cannot be told of an error: it is closed, and the error is another one. */
function* closeForThrow(close: unknown, iterator: object): Generator<unknown, never, unknown> {
  if (close !== undefined && close !== null) {
    if (!isCallable(close)) throw new TypeError(`${shown(close)} is not a function`);
    const result = yield Reflect.apply(close, iterator, []);
    if (!isObject(result)) throw new TypeError(`Iterator result ${shown(result)} is not an object`);
  }
  throw new TypeError("The iterator does not provide a 'throw' method.");
}
