/** What crosses the border of an execution, and a second copy of the runtime. */
import { execFileSync } from "node:child_process";
import { buildSync } from "esbuild";
import { afterEach, expect, test, vi } from "vitest";
import { runtime } from "./runtime.ts";
import { inExecution, loweredText, onNode } from "./testing/runs.ts";

afterEach(() => Reflect.deleteProperty(globalThis, "kept"));

test("a promise that outlived its execution answers by Node's queue", async () => {
  inExecution("kept = Promise.resolve('settled');");
  const source = "kept.then(L); (async () => { L(await kept); })(); Promise.resolve().then(() => L('node'));";
  expect(await onNode(loweredText(source))).toEqual(["settled", "node", "settled"]);
});

test("an async generator made outside goes on inside, and the other way round", async () => {
  Reflect.set(globalThis, "kept", null);
  const ask = "kept.next().then((r) => L(r.value));";
  const make = "kept = (function () { return (async function* () { for (let n = 1; ; n++) yield n; })(); })();";
  expect(await onNode(loweredText(make + ask))).toEqual(["1"]);
  expect(inExecution(ask)).toEqual(["2"]);
  expect(await onNode(loweredText(ask))).toEqual(["3"]);
  expect(inExecution(make + ask)).toEqual(["1"]);
  expect(await onNode(loweredText(ask))).toEqual(["2"]);
});

test("nothing of an execution goes on after it", () => {
  const log = inExecution("L('in'); new Promise((r) => { kept = r; }).then(() => L('never'));");
  expect(log).toEqual(["in"]);
  expect(typeof Reflect.get(globalThis, "kept")).toBe("function");
});

test("a file is lowered once its prologue has run", () => {
  expect(runtime.isLowered("some/file.ts")).toBe(false);
  runtime.at("some/file.ts");
  expect(runtime.isLowered("some/file.ts")).toBe(true);
});

test("a second copy of the runtime uses the one that is there", async () => {
  vi.resetModules();
  const copy = await import("./runtime.ts");
  expect(copy.runtime).toBe(runtime);
});

test("a bundle of the runtime leaves nothing of Promise out", () => {
  const asks = `import { runtime } from "./sim/microtask/runtime.ts";
    const { Promise: Own } = runtime.microtasks;
    process.stdout.write(JSON.stringify([Reflect.ownKeys(Own).map(String), Reflect.ownKeys(Own.prototype).map(String)]));`;
  const { outputFiles } = buildSync({
    stdin: { contents: asks, resolveDir: process.cwd(), loader: "ts" },
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    conditions: ["microloom-source"],
  });
  const input = outputFiles[0]?.text ?? "";
  const printed = execFileSync(process.execPath, ["--input-type=module", "-"], { input, encoding: "utf8" });
  const names = (target: object): string[] => Reflect.ownKeys(target).map(String);
  expect(JSON.parse(printed)).toEqual([names(Promise), names(Promise.prototype)]);
});
