import { afterEach, expect, test } from "vitest";
import { inExecution } from "./testing/runs.ts";

const native = Promise.resolve("native");

afterEach(() => Reflect.deleteProperty(globalThis, "native"));

test.each([
  ["awaited", "(async () => { await native; })();"],
  ["returned by an async function", "(async () => native)();"],
  ["what a promise is resolved with", "new Promise((r) => r(native));"],
  ["given to Promise.resolve()", "Promise.resolve(native);"],
  ["returned by a handler", "Promise.resolve().then(() => native);"],
  ["given to Promise.all()", "Promise.all([native]);"],
  ["yielded", "(async function* () { yield native; })().next();"],
  ["returned by an async generator", "(async function* () { return native; })().next();"],
  ["given to return()", "(async function* () {})().return(native);"],
  ["an element of for await", "(async () => { for await (const x of [native]) break; })();"],
  [
    "what next() of for await returns",
    "(async () => { for await (const x of { [Symbol.asyncIterator]: () => ({ next: () => native }) }) break; })();",
  ],
  [
    "what yield* asks",
    "(async function* () { yield* { [Symbol.asyncIterator]: () => ({ next: () => native }) }; })().next();",
  ],
  ["what our then() is called on", "Promise.prototype.then.call(native, () => {});"],
])("the host is told of a native promise that is %s", (_, source) => {
  Reflect.set(globalThis, "native", native);
  const told: object[] = [];
  expect(inExecution(source, { foreign: (promise) => told.push(promise) })).toEqual([]);
  expect(told).toEqual([native]);
});

test("the host is not told of thenables, nor of promises of its own", () => {
  const source = `class S extends Promise {}
    (async () => { for (const each of [1, {}, { then(r) { r(2); } }, Promise.resolve(3), S.resolve(4)]) L(typeof (await each)); })();`;
  expect(inExecution(source)).toEqual(["number", "object", "number", "number", "number"]);
});

test("the host is told of a dynamic import", () => {
  const source = `try { import("node:path").catch(() => {}); } catch {}`;
  expect(inExecution(source)[0]).toBe("importing");
});
