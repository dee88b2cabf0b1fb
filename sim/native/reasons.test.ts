import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hostile } from "../testing/hostile.ts";
import { describeReason, isMistake, stackOf } from "./reasons.ts";

describe("describeReason()", () => {
  test("says what an error says, and what caused it", () => {
    const cause = new TypeError("no order 7", { cause: "a dropped table" });
    expect(describeReason(new Error("the order is gone", { cause }))).toBe(
      'Error: the order is gone; caused by TypeError: no order 7; caused by "a dropped table"',
    );
    const many = new AggregateError([new Error("a"), "b", new Error("c"), new Error("d")], "all failed");
    expect(describeReason(many)).toBe('AggregateError: all failed (Error: a, "b", Error: c and 1 more)');
    expect(describeReason({ code: 5 })).toBe('{"code":5}');
  });

  test("says of a proxy that it is one, where it says nothing itself", () => {
    const refuse = (): never => {
      throw new Error("not to be looked at");
    };
    const hidden = new Proxy(new Error("boom"), { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse });
    expect(describeReason(hidden)).toBe("a Proxy that tells nothing of itself");
    expect(describeReason(new Proxy(new Error("boom"), { get: refuse }))).toBe("a Proxy that tells nothing of itself");
    expect(describeReason(new Proxy({}, {}))).toBe("a Proxy that tells nothing of itself");
    expect(describeReason(new Proxy(new Error("boom"), {}))).toBe("Error: boom");
  });

  test("cannot fail, and is bounded", () => {
    fc.assert(
      fc.property(hostile, (make) => {
        const value = make();
        expect(describeReason(value).length).toBeLessThanOrEqual(501);
        expect(isMistake(value)).toBe(false);
        expect(stackOf(value)?.length ?? 0).toBeLessThan(50_000);
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});

test("stackOf() does not take lines of the message for frames", () => {
  const forged = new Error("no\n    at forged (/src/a.ts:1:1)");
  expect(stackOf(forged)).toMatch(/^at /);
  expect(stackOf(forged)).not.toContain("forged (");
});
