/** What code can see of Promise and of async generators without running them, beside what it sees on Node. */
import { expect, test } from "vitest";
import { runtime } from "./runtime.ts";
import { inExecution, onNode } from "./testing/runs.ts";

const { Promise: OwnPromise } = runtime.microtasks;

test("Promise has the properties that Node's has", () => {
  expect(described(OwnPromise)).toEqual(described(Promise));
});

test("Promise.prototype has the properties that Node's has", () => {
  expect(described(OwnPromise.prototype)).toEqual(described(Promise.prototype));
});

test("promises have no properties, and inherit as Node's do", () => {
  expect(Reflect.ownKeys(new OwnPromise(() => {}))).toEqual([]);
  expect(Object.getPrototypeOf(OwnPromise)).toBe(Function.prototype);
  expect(Object.getPrototypeOf(OwnPromise.prototype)).toBe(Object.prototype);
});

test("the prototype of async generators has the properties that Node's has", async () => {
  const code = `async function* g() {} let p = Object.getPrototypeOf(g());
    for (; p !== null; p = Object.getPrototypeOf(p)) {
      const keys = Reflect.ownKeys(p).map(String).sort();
      for (const key of keys) {
        const name = key.startsWith("Symbol(") ? Symbol[key.slice(14, -1)] : key;
        const { value, get, ...flags } = Object.getOwnPropertyDescriptor(p, name);
        L(key + JSON.stringify(flags) + typeof value + typeof get + (typeof value === "function" ? value.name + value.length : ""));
      }
      if (p === Object.prototype) break;
    }
    L(p === Object.prototype);`;
  expect(inExecution(code)).toEqual(await onNode(code));
});

test("the functions that an executor and then() are given look as they do on Node", async () => {
  const code = `const seen = (...fs) => { for (const f of fs) L([f.name === "", f.length, "prototype" in f, Reflect.ownKeys(f).map(String).join()].join()); };
    new Promise((...fs) => seen(...fs));
    class S extends Promise { then(...fs) { seen(...fs); return super.then(...fs); } static resolve(v) { return new S((r) => r(v)); } }
    S.all([1]); S.any([1]); S.allSettled([1]); S.race([1]); S.resolve(1).finally(() => {});
    function C(e) { seen(e); e(() => {}, () => {}); } Promise.resolve.call(C);`;
  expect(inExecution(code)).toEqual(await onNode(code));
});

/** The properties in their order, with all that can be asked of each but what it does. */
function described(target: object): unknown {
  return Reflect.ownKeys(target).map((key) => {
    const property = Object.getOwnPropertyDescriptor(target, key);
    const { value, get, set, ...flags } = property ?? {};
    const simple = typeof value === "object" || typeof value === "function" ? typeof value : value;
    return { key, flags, value: simple, functions: [value, get, set].map(functionDescribed) };
  });
}

function functionDescribed(value: unknown): unknown {
  if (typeof value !== "function") return undefined;
  const keys = Reflect.ownKeys(value).filter((key) => key === "name" || key === "length" || key === "prototype");
  return { name: value.name, length: value.length, keys, constructs: constructs(value) };
}

function constructs(value: object): boolean {
  try {
    Reflect.construct(Function, [], value instanceof Function ? value : Object);
    return true;
  } catch {
    return false;
  }
}
