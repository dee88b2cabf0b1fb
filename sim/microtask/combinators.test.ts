/** Combinators and subclasses under random inputs: what they log is what they log on Node, tick for tick. */
import { type Arbitrary, array, assert, asyncProperty, constantFrom, integer, oneof, record, tuple } from "fast-check";
import { test } from "vitest";
import { inExecution, loweredText, onNode } from "./testing/runs.ts";

const methods = ["all", "allSettled", "any", "race"];

/** What a constructor is that the method is called on. */
const makers: Readonly<Record<string, string>> = {
  own: "Promise",
  subclass: `class extends Promise { constructor(e) { super(e); L("new"); } }`,
  watched: `class extends Promise { then(...a) { L("then" + a.length); return super.then(...a); } static resolve(v) { L("resolve"); return super.resolve(v); } }`,
  species: `class extends Promise { static get [Symbol.species]() { L("species"); return Promise; } }`,
  refusing: `class extends Promise { static resolve(v) { if (v === 3) throw "refused"; return super.resolve(v); } }`,
  thenables: `class extends Promise { static resolve(v) { return { then(a, b) { L("given"); a(v); b("late"); a("twice"); } }; } }`,
  capability: `function (e) { e((v) => { L("kept" + show(v)); if (v === 2) throw "kept"; }, (v) => L("refused" + show(v))); }`,
};

const elements: Readonly<Record<string, (n: number) => string>> = {
  value: (n) => `${n}`,
  resolved: (n) => `Promise.resolve(${n})`,
  rejected: (n) => `Promise.reject("r${n}")`,
  after: (n) => `after(${n}, ${n})`,
  refusedAfter: (n) => `after(${n}).then(() => { throw "a${n}"; })`,
  thenable: (n) => `{ then(a) { L("th${n}"); a(${n}); } }`,
  rejecting: (n) => `{ then(a, b) { b("tr${n}"); } }`,
  throwing: (n) => `{ then() { throw "tt${n}"; } }`,
  mixed: (n) => `{ then(a, b) { a(after(${n}, "m")); b("lost"); throw "lost"; } }`,
  subclass: (n) => `(class extends Promise {}).resolve(${n})`,
  async: (n) => `(async () => { await null; return ${n}; })()`,
  nested: (n) => `Promise.all([${n}, after(2, ${n})])`,
};

const containers: Readonly<Record<string, (items: string) => string>> = {
  array: (items) => `[${items}]`,
  generator: (items) => `(function* () { try { yield* [${items}]; } finally { L("closed"); } })()`,
  failing: (items) => `(function* () { yield* [${items}]; throw "iterator"; })()`,
  noReturn: (items) =>
    `{ [Symbol.iterator]() { const i = [${items}][Symbol.iterator](); return { next: () => i.next() }; } }`,
  returnThrows: (items) =>
    `{ [Symbol.iterator]() { const i = [${items}][Symbol.iterator](); return { next: () => i.next(), return() { L("return"); throw "lost"; } }; } }`,
};

const afterwards = [
  `.then((v) => L("ok" + show(v)), (e) => L("no" + show(e)))`,
  `.finally(() => L("finally")).catch((e) => L("no" + show(e)))`,
  `.finally(() => { throw "f"; }).then(L).catch((e) => L("no" + show(e)))`,
  `.then().then(null, (e) => L("no" + show(e)))`,
];

const prelude = `
  function show(v) { return v instanceof Error ? v.constructor.name + ":" + v.message + show(v.errors) : v !== undefined && typeof v === "object" ? JSON.stringify(v) : String(v); }
  function after(ticks, v) { let p = Promise.resolve(v); for (let i = 0; i < ticks; i++) p = p.then((x) => x); return p; }
  let beats = 0; (function beat() { if (beats++ < 25) Promise.resolve().then(() => { L("."); beat(); }); })();`;

const call: Arbitrary<string> = record({
  method: constantFrom(...methods),
  maker: constantFrom(...Object.keys(makers)),
  container: constantFrom(...Object.keys(containers)),
  items: array(tuple(constantFrom(...Object.keys(elements)), integer({ min: 0, max: 5 })), { maxLength: 4 }),
  then: constantFrom(...afterwards),
}).map(({ method, maker, container, items, then }) => {
  const text = items.map(([kind, n]) => elements[kind]?.(n)).join(", ");
  const follow = maker === "capability" ? "" : then;
  return `try { const C = ${makers[maker]}; Promise.${method}.call(C, ${containers[container]?.(text)})${follow}; } catch (e) { L("thrown" + show(e)); }`;
});

const chain: Arbitrary<string> = record({
  maker: constantFrom("own", "subclass", "watched", "species"),
  item: tuple(constantFrom(...Object.keys(elements)), integer({ min: 0, max: 5 })),
  then: constantFrom(...afterwards),
  how: constantFrom("resolve", "new", "await"),
}).map(({ maker, item: [kind, n], then, how }) => {
  const value = elements[kind]?.(n);
  const made = how === "new" ? `new C((r) => r(${value}))` : `C.resolve(${value})`;
  const used =
    how === "await" ? `(async () => { try { L(show(await ${made})); } catch (e) { L("c" + show(e)); } })()` : made;
  return `{ const C = ${makers[maker]}; ${used}${then}; }`;
});

test("combinators and chains log on our queue, and lowered outside of it, what they log on Node", async () => {
  const programs = array(oneof(call, call, chain), { minLength: 1, maxLength: 3 }).map(
    (calls) => prelude + calls.join("\n"),
  );
  await assert(
    asyncProperty(programs, async (program) => {
      const expected = (await onNode(program)).join("\n");
      equal(inExecution(program).join("\n"), expected);
      equal((await onNode(loweredText(program))).join("\n"), expected);
    }),
    { numRuns: 400, seed: 20 },
  );
});

function equal(found: string, expected: string): void {
  if (found !== expected) throw new Error(`On Node:\n${expected}\nHere:\n${found}`);
}
