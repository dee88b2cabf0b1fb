import { afterEach, expect, test } from "vitest";
import { runtime } from "./runtime.ts";
import { inExecution, loweredText, onNode } from "./testing/runs.ts";

const { microtasks } = runtime;
const lowered = runtime.at(import.meta.url);

/** As a module does, long before any execution. */
const defined = new Function(
  loweredText(`class Named extends Promise {
    constructor(executor) { super(executor); this.name = "named"; }
    static get [Symbol.species]() { return Promise; }
    then(...handlers) { this.asked = (this.asked ?? 0) + 1; return super.then(...handlers); }
  }
  class Plain extends Promise { static also() { return super.resolve("also"); } }
  return { Named, Plain };`),
)();

const source = `const { Named, Plain } = classes;
  const made = new Named((r) => r(1));
  L([made instanceof Named, made instanceof Promise, made.name, made.then(() => {}) instanceof Named, made.asked].join());
  made.then((v) => L("v" + v)).finally(() => L("finally"));
  (async () => { L(await made); L(await Plain.resolve(2)); L(await Plain.also()); })();
  L(Plain.resolve(1) instanceof Plain); L(Plain.resolve(1).then(() => {}) instanceof Plain);
  L(Plain.all([1]) instanceof Plain); L(Plain.resolve(made) === made); L(Object.prototype.toString.call(made));
  Plain.all([1, made, Plain.reject("no")]).catch((e) => L("caught " + e)); Plain.reject("lost");
  L(Plain.name + Plain.length); L(Promise.resolve(made) === made); Promise.race([made]).then(L);
  try { Plain(); } catch (e) { L(e.constructor.name); }
  try { new Plain(); } catch (e) { L(e.constructor.name + e.message); }`;

afterEach(() => Reflect.deleteProperty(globalThis, "classes"));

test("a class that extends Promise is one of the Promise of the mode, and so are its instances", async () => {
  Reflect.set(globalThis, "classes", defined);
  const inside = inExecution(source);
  const outside = await onNode(loweredText(source));
  const native = `class Named extends Promise {
    constructor(executor) { super(executor); this.name = "named"; }
    static get [Symbol.species]() { return Promise; }
    then(...handlers) { this.asked = (this.asked ?? 0) + 1; return super.then(...handlers); }
  }
  class Plain extends Promise { static also() { return super.resolve("also"); } }
  const classes = { Named, Plain }; { ${source} }`;
  const expected = await onNode(native);
  expect(inside).toEqual(expected);
  expect(outside).toEqual(expected);
  // And again, after the mode has changed twice.
  expect(inExecution(source)).toEqual(expected);
});

test("an instance made outside of executions is foreign inside, and goes on by Node's queue", async () => {
  const outside = new defined.Plain((resolve: (value: string) => void) => resolve("outside"));
  Reflect.set(globalThis, "classes", outside);
  const heard: unknown[] = [];
  const foreign = (promise: object): number => heard.push(promise);
  expect(inExecution("classes.then(() => {});", { foreign })).toEqual([]);
  expect(inExecution("(async () => { await classes; })();", { foreign })).toEqual([]);
  expect(heard.every((promise) => promise === outside)).toBe(true);
  expect(heard.length).toBeGreaterThan(1);
  expect(await outside).toBe("outside");
});

test("heir() gives back what is not the native Promise", () => {
  for (const heritage of [Array, null, microtasks.Promise, defined.Plain])
    expect(lowered.heir(heritage)).toBe(heritage);
  expect(lowered.heir(Promise)).toBe(lowered.heir(Promise));
});
