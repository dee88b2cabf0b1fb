/**
 * What reflection can still see of lowered code. Each asserts what is so today, and why it is: what a generator function
 * has to be written as, and what no code can make without an engine's help.
 */
import { describe, expect, test } from "vitest";
import { inExecution, loweredText, onNode } from "../microtask/testing/runs.ts";

/** Logs one line: on Node, lowered outside of any execution, and in one. */
type Seen = { readonly code: string; readonly node: string; readonly lowered: string; readonly inside?: string };

const some = `async function f(a) { await a; } const arrow = async () => {}; async function* g() { yield 1; }
const o = { async m() {}, async *g() { yield 1; } }; const { types, inspect } = process.getBuiltinModule("node:util");\n`;

const seen: Readonly<Record<string, Seen>> = {
  // Its text is what runs. The original is in the source map, which V8 does not show to code.
  "Function.prototype.toString() gives the lowered text": {
    code: `L(/^async function f\\(a\\) \\{ await a; \\}$/.test(f.toString()));`,
    node: "true",
    lowered: "false",
  },
  // A function is async by its syntax alone; another prototype would promise what the function is not.
  "an async function is made by Function": {
    code: "L([f, arrow, o.m].map((each) => each.constructor.name));",
    node: "AsyncFunction,AsyncFunction,AsyncFunction",
    lowered: "Function,Function,Function",
  },
  "an async generator function is made by Function": {
    code: "L([g, o.g].map((each) => each.constructor.name));",
    node: "AsyncGeneratorFunction,AsyncGeneratorFunction",
    lowered: "Function,Function",
  },
  "an async function inherits from Function.prototype": {
    code: "L(Object.getPrototypeOf(f) === Function.prototype);",
    node: "false",
    lowered: "true",
  },
  "an async function is no instance of AsyncFunction": {
    code: "L(f instanceof Object.getPrototypeOf(Function('return async () => {}')()).constructor);",
    node: "true",
    lowered: "false",
  },
  "Object.prototype.toString() says Function": {
    code: "L([f, g].map((each) => Object.prototype.toString.call(each)));",
    node: "[object AsyncFunction],[object AsyncGeneratorFunction]",
    lowered: "[object Function],[object Function]",
  },
  "util.types.isAsyncFunction() says no": {
    code: "L([f, g].map((each) => types.isAsyncFunction(each)));",
    node: "true,true",
    lowered: "false,false",
  },
  "util.inspect() says Function": {
    code: "L([inspect(f), inspect(g)]);",
    node: "[AsyncFunction: f],[AsyncGeneratorFunction: g]",
    lowered: "[Function: f],[Function: g]",
  },
  // A declaration has to stay one, because it is hoisted; an ordinary function is the only other that can be.
  "an async function declaration has a prototype": {
    code: `L(["prototype" in f, "prototype" in arrow, "prototype" in o.m]);`,
    node: "false,false,false",
    lowered: "true,false,false",
  },
  "an async function declaration can be called with new": {
    code: "try { new f(); L('made'); } catch (error) { L(error.name); }",
    node: "TypeError",
    lowered: "made",
  },
  // Methods cannot be constructed and have no prototype: its generators inherit from the common one directly.
  "an async generator method has no prototype": {
    code: `L("prototype" in o.g);`,
    node: "true",
    lowered: "false",
  },
  "a sloppy async function has `caller` and `arguments` of its own": {
    code: "L(Object.getOwnPropertyNames(f).sort());",
    node: "length,name",
    lowered: "arguments,caller,length,name,prototype",
  },
  "the methods of async generators are no native code": {
    code: `L(g().next.toString().includes("[native code]"));`,
    node: "true",
    lowered: "false",
  },
  "util.types.isGeneratorObject() says no of an async generator": {
    code: "L(types.isGeneratorObject(g()));",
    node: "true",
    lowered: "false",
  },
  "the generator of the body stands in the stack": {
    code: "async function inner() { L(/at inner\\.next/.test(new Error().stack)); } inner();",
    node: "false",
    lowered: "true",
  },
  // V8 writes its words from the text that it runs.
  "the words of a TypeError are others": {
    code: "(async () => { for await (const v of null); })().catch((error) => L([error.name, error.message === 'null is not async iterable']));",
    node: "TypeError,false",
    lowered: "TypeError,true",
  },
  // Only inside an execution, where Promise is ours.
  "an async function that is compiled from text gives a native promise": {
    code: "L(Function('return async () => {}')()() instanceof Promise);",
    node: "true",
    lowered: "true",
    inside: "false",
  },
  "util.types.isPromise() says no of our promises": {
    code: "L(types.isPromise(f(1)));",
    node: "true",
    lowered: "true",
    inside: "false",
  },
  "util.inspect() does not see the state of our promises": {
    code: "L(inspect(Promise.resolve(1)));",
    node: "Promise { 1 }",
    lowered: "Promise { 1 }",
    inside: "Promise {}",
  },
  "structuredClone() takes our promises for objects": {
    code: "try { L(Object.keys(structuredClone(f(1))).length); } catch (error) { L(error.name); }",
    node: "DataCloneError",
    lowered: "DataCloneError",
    inside: "0",
  },
  "the text of Promise is not native code": {
    code: `L(Promise.toString().includes("[native code]"));`,
    node: "true",
    lowered: "true",
    inside: "false",
  },
};

/** What looks alike, so that the list above is all that is known. */
const alike: Readonly<Record<string, string>> = {
  "name and length": `const p = async (a, b = 1, ...c) => {}; class C { async #p(a) {} see() { return this.#p; } static async s() {} get async() { return 1; } }
    L([f, arrow, o.m, o.g, g, p, new C().see(), C.s].map((each) => each.name + each.length));`,
  "arrows and methods cannot be constructed": `for (const each of [arrow, o.m]) try { new each(); L("made"); } catch (error) { L(error.name); }`,
  "a promise": `L([f(1) instanceof Promise, f(1).constructor === Promise, Object.prototype.toString.call(f(1)), Reflect.ownKeys(f(1)).length, JSON.stringify(f(1))]);`,
  "an async generator": `const made = g(); L([made instanceof g, Object.getPrototypeOf(made) === g.prototype, made[Symbol.asyncIterator]() === made,
    Object.prototype.toString.call(made), Reflect.ownKeys(made).length, made.next.name, made.next.length]);`,
  "every call makes another promise and another generator": `L([f(1) === f(1), g() === g()]);`,
  "arguments and this": `async function h(a, b = 2) { L([arguments.length, b, this === it]); } const it = {}; h.call(it, 1); h.call(it, 1, 2, 3);`,
  "what is written after the code": `f.own = 1; L([f.own, Object.keys(f)]); f.prototype = null; L(typeof f(1).then);`,
};

describe("reflection", () => {
  test.each(Object.entries(seen))("%s", async (_, { code, node, lowered, inside = lowered }) => {
    const text = some + code;
    expect(await onNode(text)).toEqual([node]);
    expect(await onNode(loweredText(text))).toEqual([lowered]);
    expect(inExecution(text)).toEqual([inside]);
    expect(lowered !== node || inside !== node).toBe(true);
  });

  test.each(Object.entries(alike))("does not see %s", async (_, code) => {
    const expected = await onNode(some + code);
    expect(expected.length).toBeGreaterThan(0);
    expect(await onNode(loweredText(some + code))).toEqual(expected);
    expect(inExecution(some + code)).toEqual(expected);
  });
});
