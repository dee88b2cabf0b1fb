import { expect, test } from "vitest";
import { LoweringError } from "./error.ts";
import { lower } from "./lower.ts";

type Refused = { readonly text: string; readonly found: RegExp; readonly at: string; readonly module?: true };

const refused: Readonly<Record<string, Refused>> = {
  "direct eval": { text: "async function f(x) {\n  return eval(x) }", found: /direct `eval`/, at: "2:10" },
  "direct eval in an arrow of it": { text: "async () => () => eval('1')", found: /direct `eval`/, at: "1:19" },
  "with around async code": { text: "with (o) { f = async () => x }", found: /`with`/, at: "1:1" },
  "with in async code": { text: "async () => {\n\n with (o) await x }", found: /`with`/, at: "3:2" },
  "a variable called yield": { text: "async function f() { var yield = 1 }", found: /called `yield`/, at: "1:26" },
  "a label called yield": { text: "async () => { yield: for (;;) break yield }", found: /called `yield`/, at: "1:15" },
  "a short property called yield": { text: "async () => ({ yield })", found: /called `yield`/, at: "1:16" },
  "arguments.callee": { text: "async function f() { arguments.callee() }", found: /callee/, at: "1:22" },
  "a variable called arguments": {
    text: "async function f(arguments) { return arguments }",
    found: /variable `arguments`/,
    at: "1:18",
  },
  "arguments outside functions": {
    text: "f = async () => arguments",
    found: /outside any function/,
    at: "1:17",
    module: true,
  },
  "arguments beside super in sloppy code": {
    text: "({ async m(a) { super.m(arguments) } })",
    found: /beside `super`/,
    at: "1:25",
  },
  "delete super.x": { text: "({ async m() { delete super.x; super.y } })", found: /`delete`/, at: "1:16" },
  "a super method in parentheses": { text: "({ async m() { (super.m)(1) } })", found: /in parentheses/, at: "1:16" },
  "an async function in a case": {
    text: "switch (1) { case 1: async function f() {} }",
    found: /declared in a `case`/,
    at: "1:22",
  },
  "a for await through its own variable": {
    text: "async () => { for await (const { x } of f({ y: x })) x }",
    found: /named like the variable of the loop/,
    at: "1:48",
  },
  "a syntax error": { text: "async function f() {\n  await await\n}", found: /Unexpected token/, at: "3:1" },
  "await where it is none": {
    text: "async () => 1; function f() {\n await x }",
    found: /Unexpected|Cannot use/,
    at: "2:8",
  },
  "a syntax error beside a decorator": {
    text: "@d class A {\n async m(é = 'é') { let 1 } }",
    found: /Expected/,
    at: "2:25",
    module: true,
  },
};

test.each(Object.entries(refused))("lower() refuses %s", (_, { text, found, at, module }) => {
  const error = refusal(() => lower(text, { file: "src/bad.js", sourceType: module ? "module" : "script" }));
  expect(error.message).toMatch(found);
  expect(error.message).toMatch(/^Cannot lower src\/bad\.js:\d+:\d+\n {2}found: .+\n {2}[A-Z].+[^.]$/);
  expect(`${error.place.line}:${error.place.column}`).toBe(at);
});

const allowed: readonly string[] = [
  "function f(x) { return eval(x) } async () => f(1)",
  "async () => (0, eval)('1')",
  "async () => function () { return eval('1') }",
  "with (o) { f() } async () => 1",
  "var yield = 1; async () => ({ yield: 1 }).yield",
  "async () => function () { yield: for (;;) break yield }",
  "function f(arguments) { return arguments } async () => 1",
  '"use strict"; ({ async m(a) { super.m(arguments) } })',
  '"use strict"; switch (1) { case 1: async function f() {} }',
  "async () => typeof eval",
];

test.each(allowed)("lower() does not refuse %s", (text) => {
  expect(lower(text, { file: "good.js", sourceType: "script" }).map).not.toBeNull();
});

test("LoweringError names the place in the original, through the input map", () => {
  // Line 1 of the text is line 40 of the original, column 3 there.
  const inputMap = {
    version: 3 as const,
    sources: ["src/original.ts"],
    names: [],
    mappings: [
      [
        [0, 0, 39, 2],
        [14, 0, 40, 4],
      ],
    ],
  };
  const text = "async () => { eval(x) }";
  const error = refusal(() =>
    lower(text, { file: "dist/bad.js", sourceType: "script", inputMap: JSON.stringify(encoded(inputMap)) }),
  );
  expect(error.place).toEqual({ file: "src/original.ts", line: 41, column: 5 });
});

/** The same map, with the mappings written out: one line with two segments. */
function encoded({ mappings, ...map }: { readonly mappings: readonly (readonly number[][])[] }): object {
  expect(mappings).toEqual([
    [
      [0, 0, 39, 2],
      [14, 0, 40, 4],
    ],
  ]);
  return { ...map, mappings: "AAuCE,cACE" };
}

function refusal(run: () => unknown): LoweringError {
  try {
    run();
  } catch (error) {
    if (error instanceof LoweringError) return error;
    throw error;
  }
  throw new Error("It was not refused");
}
