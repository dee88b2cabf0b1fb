import fc from "fast-check";
import { expect, test } from "vitest";
import { fresh, isJson } from "./values.ts";

test("isJson() is true of what JSON gives back as it was", () => {
  const anything = fc.anything({
    ...{ withBigInt: true, withDate: true, withMap: true, withSet: true, withSparseArray: true, withTypedArray: true },
    withUnicodeString: true,
  });
  fc.assert(
    fc.property(fc.oneof(anything, fc.jsonValue({ noUnicodeString: false })), (value) => {
      if (isJson(value)) expect(JSON.parse(JSON.stringify(value))).toEqual(value);
    }),
    { seed: 1, numRuns: 2_000 },
  );
  fc.assert(
    fc.property(fc.jsonValue(), (value) => isJson(JSON.parse(JSON.stringify(value)))),
    { seed: 1 },
  );
});

test.each([
  ...[undefined, Number.NaN, -0, 1n, Symbol("a"), () => 1, new Date(0), new Map(), new Array(2), { a: undefined }],
  ...[new (class A {})(), Object.assign([1], { more: 2 }), { [Symbol("a")]: 1 }],
])("isJson() is false of %s", (value) => {
  expect(isJson(value)).toBe(false);
});

test("isJson() and fresh() come to an end on a circle", () => {
  const circle: unknown[] = [];
  circle.push(circle);
  expect(isJson(circle)).toBe(false);
  expect(fresh(circle)).toBe(circle);
});

test("fresh() copies plain data to the bottom, with its prototypes and every key", () => {
  const data: unknown = JSON.parse('{ "__proto__": { "a": [1, { "b": null }] } }');
  const bare = Object.assign(Object.create(null), { inner: [data] });
  const copy: unknown = fresh(bare);
  expect(copy).toEqual(bare);
  expect(copy).not.toBe(bare);
  expect(Object.getPrototypeOf(copy)).toBeNull();
  expect(JSON.stringify(copy)).toBe(JSON.stringify(bare));
});

test("fresh() clones what knows how, and gives the rest as it is", () => {
  const date = new Date(0);
  expect(fresh(date)).toBe(date);
  const context = fc.sample(fc.context(), { seed: 1, numRuns: 1 })[0];
  expect(fresh(context)).not.toBe(context);
});
