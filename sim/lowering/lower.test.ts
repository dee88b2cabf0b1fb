import { expect, test } from "vitest";
import { lower } from "./lower.ts";

const script = { file: "a.js", sourceType: "script" } as const;
const esm = { file: "a.mjs", sourceType: "module" } as const;

test("lower() returns what is not concerned as it came, without a map", () => {
  for (const text of ["", "const x = 1", "class A extends B {}", "// sync\nimport x from 'y'", "syntax error ("]) {
    expect(lower(text, esm)).toEqual({ code: text, map: null });
  }
});

test("lower() marks every file that is concerned", () => {
  const texts = [
    "async () => 1",
    "await 1",
    "import('x')",
    "import /* why */ ('x')",
    "class A extends Promise {}",
    "class A extends globalThis.Promise {}",
    "import { scenario } from 'x'",
    "import { race } from 'x'",
    "import 'microloom'",
  ];
  for (const text of texts) expect(lower(text, esm).code).toMatch(/\.at\("a\.mjs"\)/);
});

test("lower() lowers nothing twice", () => {
  const texts = [
    "async () => 1",
    "import 'x'; export async function f() {}",
    "const Symbol = 1; async () => {}",
    "import('x')",
  ];
  for (const text of texts) {
    const once = lower(text, esm);
    expect(lower(once.code, esm)).toEqual({ code: once.code, map: null });
  }
});

test("lower() writes the shape that the runtime documents", () => {
  const { code } = lower("async function f(a, b) { return await a }", script);
  expect(code).toMatch(
    /^const \{ a: \$loom_a, async: \$loom_async \} = \(globalThis\[Symbol.for\("microloom.lowered"\)\] \?\? /,
  );
  expect(code.slice(code.indexOf("var "))).toBe(
    'var $loom_g0; function f(a, b) { return $loom_async(($loom_g0 ??= ({ *f(a, b) { return (yield $loom_a( a)) } }).f)(a, b), "f") }',
  );
});

test("lower() puts its first statement on the first line, behind a hashbang and directives", () => {
  const begins = (text: string, start: string) => {
    const { code } = lower(text, script);
    expect(code.startsWith(start)).toBe(true);
    expect(code.split("\n").length).toBe(text.split("\n").length);
  };
  begins("async () => 1", "const {");
  begins("/* licence */ async () => 1", "const {");
  begins("#!/usr/bin/env node\nasync () => 1", "#!/usr/bin/env node\nconst {");
  begins("'use strict'\nasync () => 1", "'use strict';const {");
  begins("'use strict'; 'use more';\nasync () => 1", "'use strict'; 'use more';const {");
});

test("lower() keeps a line that begins with import() from calling the line before", () => {
  expect(lower("const a = b\nimport('x')", esm).code).toContain("= b\n;($loom_importing(), import('x'))");
});

test("lower() moves no line", () => {
  const text =
    "class A {\n  async m(\n    a = 1,\n    { b },\n  ) {\n    await a;\n    return (\n      b\n    );\n  }\n}\nconst f = async (\n  x,\n) =>\n  x;\nLAST()";
  const { code } = lower(text, script);
  expect(code.split("\n").findIndex((line) => line.includes("LAST"))).toBe(text.split("\n").length - 1);
});

test("lower() keeps a generator where it can, so that a call makes no closure", () => {
  const kept = (text: string) => lower(text, script).code.match(/\?\?=/g)?.length ?? 0;
  expect(
    kept("async function f() {} const g = async () => {}; class A { async m() { super.m() } x = async () => this }"),
  ).toBe(4);
  expect(kept("for (const x of y) z.push(async () => x)")).toBe(1);
  expect(kept("for (let i = async () => i; ; ) {}")).toBe(0);
  expect(kept("function f(a = async () => 1) {}")).toBe(0);
});
