import { describe, expect, test } from "vitest";
import { callback, check, type Fields, oneOf, type Rule, type Shape, variants } from "./shape.ts";

const integer: Rule = (value) => Number.isInteger(value) || "integer";
const point = variants("kind", { named: { name: "" }, placed: { at: [integer] }, none: {} });
const options: Fields = { point, mode: oneOf("fast", "slow"), quiet: false, done: callback };
const fits = { point: { kind: "none" }, mode: "fast", quiet: true, done: () => {} };

describe("shape", () => {
  test("check() lets pass what fits, with other fields beside", () => {
    for (const value of [fits, { ...fits, more: 1 }, { ...fits, point: { kind: "placed", at: [] } }])
      expect(() => check("options", value, options)).not.toThrow();
  });

  test.each<[wrong: string, shape: Shape, value: unknown]>([
    [": expected object, found null", options, null],
    [": expected object, found array", options, []],
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
    [": expected string, found Symbol(a)", "", Symbol("a")],
    // Its own toString would throw, and is not asked.
    [": expected string, found object", "", Object.create(null)],
  ])("check() says %s", (wrong, shape, value) => {
    expect(() => check("it", value, shape)).toThrow(
      expect.objectContaining({ name: "InputError", message: `Cannot use it${wrong}; correct it` }),
    );
  });
});
