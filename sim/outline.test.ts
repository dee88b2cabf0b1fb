import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { headOfError, outline } from "./outline.ts";
import { hostile } from "./testing/hostile.ts";

/** Fails when it is asked more often than a bounded look needs. */
function counted<T extends object>(target: T): { readonly value: T; looks(): number } {
  let looks = 0;
  const value = new Proxy(target, {
    get(from, key, receiver) {
      looks++;
      return Reflect.get(from, key, receiver);
    },
  });
  return { value, looks: () => looks };
}

describe("outline()", () => {
  test("writes plain data as JSON does", () => {
    const plain = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(plain, (value) => {
        expect(outline(value, 100_000)).toBe(JSON.stringify(value));
      }),
      { numRuns: 300, seed: 1 },
    );
    expect(outline(new Date(0), 100)).toBe('"1970-01-01T00:00:00.000Z"');
    expect(outline({ a: undefined, b: () => 1, c: 1 }, 100)).toBe('{"c":1}');
  });

  test("tells values that JSON does not know", () => {
    const cycle: Record<string, unknown> = { a: 1 };
    cycle.self = cycle;
    expect(outline(cycle, 100)).toBe('{"a":1,"self":…}');
    expect(outline([NaN, 1n, 10n ** 101n, Symbol("s"), new TypeError("x")], 200)).toBe(
      "[NaN,1n,a bigint of more than 100 digits,Symbol(s),TypeError: x]",
    );
    expect(
      outline(
        {
          get bad() {
            throw new Error("no");
          },
        },
        100,
      ),
    ).toBe('{"bad":"(cannot be read)"}');
    expect(outline("\ud800", 100)).toBe('"\\ud800"');
  });

  test("says that a proxy is one, and no more than it tells", () => {
    const refuse = (): never => {
      throw new Error("not to be looked at");
    };
    const silent = "a Proxy that tells nothing of itself";
    expect(outline(new Proxy({}, {}), 100)).toBe(silent);
    expect(outline(new Proxy({ secret: 1 }, { ownKeys: refuse }), 100)).toBe(silent);
    expect(outline(new Proxy({ secret: 1 }, { ownKeys: () => [] }), 100)).toBe(silent);
    expect(outline(new Proxy(new Error("boom"), { get: refuse, getPrototypeOf: refuse }), 100)).toBe(silent);
    expect(outline(new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse }), 100)).toBe(
      silent,
    );
    const { proxy, revoke } = Proxy.revocable({ a: 1 }, {});
    expect(outline(proxy, 100)).toBe('a Proxy that answers as {"a":1}');
    revoke();
    expect(outline(proxy, 100)).toBe(silent);
    expect(outline([new Proxy(new TypeError("boom"), {}), 1], 100)).toBe("[a Proxy that answers as TypeError: boom,1]");
  });

  test("cannot fail, and is never longer than it may be", () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 300 }), (make, limit) => {
        expect(outline(make(), limit).length).toBeLessThanOrEqual(limit + 1);
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  test("looks at no more than it writes", () => {
    const list = counted(Array.from({ length: 100_000 }, (_, index) => index));
    outline(list.value, 200);
    expect(list.looks()).toBeLessThan(250);
    expect(outline(new Array(2 ** 32 - 1), 50)).toHaveLength(51);
    // Sixty levels that each hold the next one twice: 2^60 paths.
    let shared: unknown = 0;
    for (let level = 0; level < 60; level++) shared = [shared, shared];
    expect(outline(shared, 500).length).toBeLessThanOrEqual(501);
    expect(outline("x".repeat(10_000_000), 50)).toHaveLength(51);
  });
});

test("headOfError() says something of every error", () => {
  expect(headOfError(new TypeError("boom"), 100)).toBe("TypeError: boom");
  expect(headOfError(new Error(""), 100)).toBe("Error");
  const odd = Object.defineProperties(new Error("x"), {
    name: {
      get: () => {
        throw new Error("no");
      },
    },
    message: { value: Symbol("m") },
  });
  expect(headOfError(odd, 100)).toBe("Error: Symbol(m)");
});
