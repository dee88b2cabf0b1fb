import { readFileSync } from "node:fs";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";
import "../microtask/runtime.ts";
import { lower } from "./lower.ts";
import { identifiersOf, madeAt } from "./testing/trace.ts";

/** Words of the syntax that becomes another one. */
const replaced = new Set(["async", "await", "of", "arguments", "yield"]);

const shapes = `const one = 1\nclass Shape extends Promise {\n  #field = async () => this.#field;\n  async method(first, second) {\n    for await (const { item = first, ...rest } of await this.list(second)) {\n      if (await item) return super.method(item, ...arguments)\n      super.other = rest\n    }\n  }\n}\nouter: for (const entry of list) { run(async (x, { y } = z) => (await x)(y)) }\nasync function* numbers(start) {\n  yield start; yield* other(start)\n  return import(start)\n}\n`;

test.each([
  ["every shape", shapes, "script"],
  ["p-queue", readFileSync("node_modules/p-queue/dist/index.js", "utf8"), "module"],
  ["p-retry", readFileSync("node_modules/p-retry/index.js", "utf8"), "module"],
] as const)("the map of %s leads every identifier back to itself", (_, text, sourceType) => {
  const { code, map } = lower(text, { file: "shapes.js", sourceType });
  if (map === null) throw new Error("It was not lowered");
  const made = madeAt(code, map);
  const checked = identifiersOf(text, sourceType).filter(({ name }) => !replaced.has(name));
  const lost = checked.filter(({ name, line, column }) => !made.get(`${line}:${column}`)?.includes(name));
  expect(checked.length).toBeGreaterThan(20);
  expect(lost).toEqual([]);
});

const typed = `interface A { readonly x: number }\n\nexport class Typed<T extends A> {\n  private async wait(given: T,\n    other: number): Promise<number> {\n    const result: number = await given.x;\n    return result + other;\n  }\n}\n`;

test.each(["as an option", "inline"])("a map that comes with the text is chained: %s", (how) => {
  const inline = how === "inline";
  const before = transformSync(typed, {
    loader: "ts",
    sourcefile: "typed.ts",
    sourcemap: inline ? "inline" : "external",
  });
  const options = { file: "typed.js", sourceType: "module" } as const;
  const { code, map } = lower(before.code, inline ? options : { ...options, inputMap: before.map });
  if (map === null) throw new Error("It was not lowered");
  expect(map.sources).toEqual(["typed.ts"]);
  expect(map.sourcesContent).toEqual([typed]);
  expect(code).not.toContain("sourceMappingURL");
  const made = madeAt(code, map);
  for (const name of ["Typed", "wait", "given", "other", "result"]) {
    const line = typed.split("\n").findIndex((text) => text.includes(name));
    const column = typed.split("\n")[line]?.indexOf(name) ?? -1;
    expect(made.get(`${line + 1}:${column}`), name).toContain(name);
  }
});

const failing = `const inner = async (deep) => {
  await 0;
  if (deep) return inner(false);

  throw new Error("from line 6");
};
class A {
  async method(x, { y } = {}) {
    return [
      await inner(true),
      y];
  }
  static now() {
    return (async () => {
      null.property;
    })();
  }
}
const failed = [];
for (const run of [() => new A().method(1), () => A.now(), async () => { for await (const x of [1])
  undefined_variable }]) await run().catch((error) => failed.push(error));
return failed;`;

test("errors say the lines that they say without lowering", async () => {
  const text = `return (async () => {${failing}})()`;
  const { code } = lower(text, { file: "failing.js", sourceType: "script" });
  const [native, lowered] = [await linesOf(text), await linesOf(code)];
  expect(lowered).toEqual(native);
  expect(native).toHaveLength(3);
});

/** Name and line of where each error was thrown. */
async function linesOf(code: string): Promise<(string | undefined)[]> {
  const errors: readonly Error[] = await new Function(code)();
  return errors.map(({ stack }) => {
    const [, name, line] = /^ +at (?:async )?(?:(\S+) )?.*<anonymous>:(\d+):\d+\)?$/m.exec(stack ?? "") ?? [];
    return `${name?.replace(/^.*\./, "")} ${line}`;
  });
}
