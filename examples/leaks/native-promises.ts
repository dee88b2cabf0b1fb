/**
 * What makes native promises in code that nobody has lowered, as a dependency may stand there. On the microtask engine
 * every promise should be one of its own, and microloom must name the marked line.
 */
import { EventEmitter } from "node:events";
import { Readable } from "node:stream";
import { finished } from "node:stream/promises";

const nothing = (): void => undefined;
// The way libraries keep what they need: taken once, at import.
const KeptPromise = Promise;
const ready = KeptPromise.resolve();
const { once: keptOnce } = EventEmitter;
const { eval: evaluate } = globalThis;

class Store {
  async load(): Promise<void> {} // leaks: untransformed async code, method
}

async function* numbers(): AsyncGenerator<number> {
  yield 1;
}

async function loads(): Promise<void> {} // leaks: untransformed async code, function

/** Kind of leak, and what does it → code that leaks at the line marked with that. */
export const nativePromises: Readonly<Record<string, () => unknown>> = {
  "untransformed async code, function": loads,
  "untransformed async code, arrow": async () => undefined, // leaks: untransformed async code, arrow
  "untransformed async code, method": () => new Store().load(),
  "untransformed async code, generator": () => numbers().next(), // leaks: untransformed async code, generator
  "untransformed async code, after a callback": () => queueMicrotask(async () => undefined), // leaks: untransformed async code, after a callback
  "kept Promise, constructor": () => new KeptPromise(nothing), // leaks: kept Promise, constructor
  "kept Promise, resolve": () => KeptPromise.resolve(1), // leaks: kept Promise, resolve
  "kept Promise, all": () => KeptPromise.all([]), // leaks: kept Promise, all
  "foreign promise, then": () => ready.then(nothing), // leaks: foreign promise, then
  "foreign promise, finally": () => ready.finally(nothing), // leaks: foreign promise, finally
  "evaluated async code, eval": () => evaluate("(async () => {})()"), // leaks: evaluated async code, eval
  "evaluated async code, new Function": () => new Function("return (async () => {})()")(), // leaks: evaluated async code, new Function
  "web stream": () => new ReadableStream().getReader().read(), // leaks: web stream
  "promise made by Node, stream": () => finished(Readable.from([])), // leaks: promise made by Node, stream
  "promise made by Node, kept once": () => keptOnce(new EventEmitter(), "go"), // leaks: promise made by Node, kept once
};

/** Not in every Node. */
export const newer: Readonly<Record<string, () => unknown>> = {
  "Array.fromAsync": () => Reflect.get(Array, "fromAsync").call(Array, [1]), // leaks: Array.fromAsync
};
