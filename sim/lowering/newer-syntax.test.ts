import { expect, test } from "vitest";
import { lower } from "./lower.ts";
import { importFiles } from "./testing/load.ts";
import "../microtask/runtime.ts";

async function logOf(text: string): Promise<unknown> {
  const { code } = lower(text, { file: "newer.mjs", sourceType: "module" });
  expect(code).not.toMatch(/\basync\s+(?:function|\()/);
  return (await importFiles({ "newer.mjs": code })).log;
}

const symbols = `Symbol.dispose ??= Symbol.for("Symbol.dispose"); Symbol.asyncDispose ??= Symbol.for("Symbol.asyncDispose");`;

test("lower() lowers `using` and `await using`, in the order of disposal", async () => {
  const text = `${symbols} export const log = [];
    const thing = (name) => ({ [Symbol.dispose]() { log.push("dispose " + name) }, async [Symbol.asyncDispose]() { await 0; log.push("async " + name) } });
    async function f() { using a = thing("a"); await using b = thing("b"); log.push("body"); await 0; throw new Error("thrown") }
    await f().catch((e) => log.push(e.message)); for (using c of [thing("c")]) await (async () => log.push("round"))();`;
  expect(await logOf(text)).toEqual(["body", "async b", "dispose a", "thrown", "round", "dispose c"]);
});

test("lower() lowers decorators", async () => {
  const text = `export const log = []; const twice = (method) => async function (...a) { return [await method.call(this, ...a), await method.call(this, ...a)].join() };
    class A { n = 0; @twice async m(x) { return x + this.n++ } } log.push(await new A().m("x"));`;
  expect(await logOf(text)).toEqual(["x0,x1"]);
});

test("the map of newer syntax leads to the text as it was", () => {
  const text = "async function f() {\n  await using a = b();\n  wanted();\n}";
  const { map } = lower(text, { file: "newer.mjs", sourceType: "module" });
  expect(map?.sources).toEqual(["newer.mjs"]);
  expect(map?.sourcesContent).toEqual([text]);
});
