import fc from "fast-check";
import { expect, test } from "vitest";
import { reduce } from "./reduce.ts";

test("reduce() keeps exactly what is needed, in order, when the need is a set", async () => {
  const list = Array.from({ length: 40 }, (_, index) => index);
  await fc.assert(
    fc.asyncProperty(fc.subarray(list), async (needed) => {
      expect(await reduce(list, async (kept) => needed.every((item) => kept.includes(item)))).toEqual(needed);
    }),
  );
});

test("reduce() ends where no single item can be taken, whatever the need is", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 9 }), { maxLength: 12 }), fc.func(fc.boolean()), async (items, decides) => {
      const fails = async (kept: readonly number[]): Promise<boolean> => kept.length === items.length || decides(kept);
      const kept = await reduce(items, fails);
      for (let at = 0; at < kept.length; at++) expect(await fails(kept.toSpliced(at, 1))).toBe(false);
    }),
  );
});

test("reduce() needs few tries for one item among many", async () => {
  let tries = 0;
  const list = Array.from({ length: 1_000 }, (_, index) => index);
  const kept = await reduce(list, async (kept) => {
    tries++;
    return kept.includes(700);
  });
  expect(kept).toEqual([700]);
  expect(tries).toBeLessThan(50);
});
