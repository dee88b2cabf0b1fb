import { expect, test } from "vitest";
import { firstDifference, withoutV8 } from "./comparable.ts";

const told = (detail: string, stack: string, at = "a:b#1"): string =>
  JSON.stringify({ results: [{ violation: { detail, at, stack } }] });

test("firstDifference() sees no difference between stacks and words of V8", () => {
  const one = told("TypeError: Cannot read properties of undefined (reading 'x')", "at a (x.ts:1:2)");
  const other = told("TypeError: x is undefined", "at b (x.ts:1:2)");
  expect(firstDifference(withoutV8(one), withoutV8(other))).toBeNull();
});

test("firstDifference() names the place of any other difference", () => {
  const [one, other] = [told("Error: one", ""), told("Error: other", "")];
  expect(firstDifference(withoutV8(one), withoutV8(other))).toBe(
    'results.0.violation.detail: "Error: one", "Error: other"',
  );
  expect(firstDifference(withoutV8(told("", "", "a#1")), withoutV8(told("", "", "a#2")))).toContain("violation.at");
});

test("firstDifference() counts the order of keys and what is missing", () => {
  expect(firstDifference({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe("all: a,b, b,a");
  expect(firstDifference([1], [1, 2])).not.toBeNull();
  expect(firstDifference(withoutV8("no JSON"), withoutV8("none"))).toBe('all: "no JSON", "none"');
});
