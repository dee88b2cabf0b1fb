import { describe, expect, test } from "vitest";
import { callback, flag, integer, list, oneOf, optional, type Rule, record, text, variants } from "./shape.ts";

const point = variants("kind", { named: { name: text }, placed: { at: list(integer) }, none: {} });
const options = record({ point, mode: oneOf("fast", "slow"), quiet: optional(flag), done: callback });
const fits = { point: { kind: "none" }, mode: "fast", done: () => {} };

describe("shape", () => {
  test("record() lets pass what fits, with or without what is optional, and other fields beside", () => {
    for (const value of [fits, { ...fits, quiet: false }, { ...fits, more: 1 }])
      expect(() => options("options", value)).not.toThrow();
  });

  test.each<[wrong: string, rule: Rule, value: unknown]>([
    [": expected object, found null", options, null],
    [": expected object, found function", options, () => {}],
    [".mode: expected fast or slow, found undefined", options, { ...fits, mode: undefined }],
    ['.mode: expected fast or slow, found "later"', options, { ...fits, mode: "later" }],
    [".quiet: expected boolean, found null", options, { ...fits, quiet: null }],
    [".done: expected function, found object", options, { ...fits, done: {} }],
    [".point.kind: expected named or placed or none, found undefined", options, { ...fits, point: {} }],
    ['.kind: expected named or placed or none, found "__proto__"', point, { kind: "__proto__" }],
    [".name: expected string, found 7", point, { kind: "named", name: 7 }],
    [".at: expected array, found object", point, { kind: "placed", at: {} }],
    [".at[]: expected integer, found NaN", point, { kind: "placed", at: [1, Number.NaN] }],
    [": expected string, found Symbol(a)", text, Symbol("a")],
    // Its own toString would throw, and is not asked.
    [": expected string, found object", text, Object.create(null)],
  ])("a rule says %s", (wrong, rule, value) => {
    expect(() => rule("it", value)).toThrow(
      expect.objectContaining({ name: "InputError", message: `Cannot use it${wrong}; correct it` }),
    );
  });
});
