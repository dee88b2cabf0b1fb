import { expect, test } from "vitest";
import { quoted } from "./quoted.ts";

test("quoted() writes plain text in double quotes", () => {
  expect(quoted("send b")).toBe('"send b"');
  expect(quoted('say "no"')).toBe('"say \\"no\\""');
  expect(quoted(undefined)).toBe("nothing");
  expect(quoted([1, { a: null }])).toBe('[1,{"a":null}]');
});

test("quoted() escapes what would break a line or hide text", () => {
  expect(quoted("a\nb\u0000c\u001b[31m")).toBe('"a\\nb\\u0000c\\u001b[31m"');
  expect(quoted("a\u202eb\u2028c\u200bd\u007fe\u0085")).toBe('"a\\u202eb\\u2028c\\u200bd\\u007fe\\u0085"');
  expect(quoted("lone \ud800")).toBe('"lone \\ud800"');
});

test("quoted() keeps letters of every script", () => {
  expect(quoted("größe 模型 🙂")).toBe('"größe 模型 🙂"');
});

test("quoted() cuts in the middle at the limit", () => {
  const text = quoted("x".repeat(100_000), 21);
  expect(text).toBe(`"${"x".repeat(9)}…${"x".repeat(9)}"`);
  expect(text).toHaveLength(21);
});

test("quoted() survives values that JSON refuses", () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  expect(quoted(cycle)).toBe("object");
  expect(quoted(10n)).toBe("bigint");
});
