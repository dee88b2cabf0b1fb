import { expect, test } from "vitest";
import { runtime } from "../microtask/runtime.ts";
import { lower } from "./lower.ts";
import { importFiles } from "./testing/load.ts";

function lowered(texts: Readonly<Record<string, string>>): Record<string, string> {
  const files = Object.entries(texts).map(([file, code]): [string, string] => {
    return [file, lower(code, { file, sourceType: file.endsWith(".cjs") ? "script" : "module" }).code];
  });
  return Object.fromEntries(files);
}

const programs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "top-level await stays and works": {
    "a.mjs": `const log = []; const x = await (async () => { await 0; return 1 })(); for await (const y of [2, Promise.resolve(3)]) log.push(y); log.push(x, await Promise.resolve(4))\nawait 0\nexport { log }; export default async () => log.length; export async function f() {}`,
  },
  "functions called before their module has run": {
    "a.mjs": `import { early } from "./b.mjs"; export async function f(x) { await 0; return x + 1 } export async function g({ x } = { x: 5 }) { return x } export function h() { return (async () => "h")() } export default async function () { return "default" } export async function* i() { yield "i" } export const log = [...(await early), await f(1)]`,
    "b.mjs": `import { f, g, h, i } from "./a.mjs"; import d from "./a.mjs"; export const early = Promise.all([f(1), g(), h(), d(), i().next().then((r) => r.value)])`,
  },
  "a plain function called before its module has run": {
    "a.mjs": `import { early } from "./b.mjs"; export function h(x) { "use none"; return (async () => x)() } export const log = [await early]`,
    "b.mjs": `import { h } from "./a.mjs"; export const early = h("h")`,
  },
  "a default export called before its module has run": {
    "a.mjs": `import { early } from "./b.mjs"; export default async function ({ x } = { x: 5 }) { return x } export const log = [await early]`,
    "b.mjs": `import d from "./a.mjs"; export const early = d()`,
  },
  "imports of modules while running, and of CommonJS": {
    "a.mjs": `const { f } = await import("./c.cjs"); export const log = [await f(2), (await import("./b.mjs")).b, import.meta.url.endsWith("a.mjs"), await (async () => (await import("./b.mjs", {})).b)()]`,
    "b.mjs": `export const b = await (async () => "b")()`,
    "c.cjs": `#!/usr/bin/env node\n"use strict"\nexports.f = async function (x) { return x + (await g()) + typeof arguments + exports.f.name.length }; async function g() { return this === undefined } if (exports.f) return; throw 1`,
  },
  "names that the file uses for itself": {
    "a.mjs": `const $loom_ = 1, globalThis = null, Symbol = null; const f = async ($loom1_a) => $loom1_a + $loom_; export const log = [await f(1), String(globalThis), String(Symbol)]`,
  },
  "exports of every kind": {
    "a.mjs": `export * from "./b.mjs"; export { x as z } from "./b.mjs"; export const f = async () => "f"; export async function* g() { yield* [1, 2] } class C { static async m() { return "m" } } export { C as default }; const all = []; for await (const x of g()) all.push(x); export const log = [await f(), ...all, await C.m(), f.name, C.name]`,
    "b.mjs": `export const x = 1; export default async () => {}`,
  },
};

test.each(Object.entries(programs))("lower() keeps what modules do: %s", async (_, files) => {
  const native = await importFiles(files);
  const ours = await importFiles(lowered(files));
  expect(ours.log).toEqual(native.log);
  expect(ours.log).toBeInstanceOf(Array);
  expect(Object.keys(ours)).toEqual(Object.keys(native));
});

test("a lowered file says that it is lowered, under the name that it was given", async () => {
  await importFiles(lowered({ "marked-as-lowered.mjs": `export const f = async () => 1` }));
  expect(runtime.isLowered("marked-as-lowered.mjs")).toBe(true);
  expect(runtime.isLowered("other.mjs")).toBe(false);
});

test("a lowered file without the runtime fails, and says what to do", () => {
  const { code } = lower("async () => 1", { file: "/src/a.js", sourceType: "script" });
  const alone = code.replace('Symbol.for("microloom.lowered")', 'Symbol.for("nobody")');
  expect(() => new Function(alone)()).toThrow(
    expect.objectContaining({
      name: "NotLoaded",
      message: expect.stringMatching(
        /^Cannot run \/src\/a\.js: .*; load it through microloom\/vite or node --import microloom\/loader$/,
      ),
    }),
  );
});
