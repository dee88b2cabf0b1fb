import fc from "fast-check";
import { expect, test } from "vitest";
import { BudgetSets, countOf, ones } from "./budget-sets.ts";

const budgets = fc.record({ a: fc.nat(3), b: fc.nat(4), c: fc.nat(5) });

/** Every budget there is, in the order of their numbers: the first counter runs fastest. */
function all({ a, b, c }: { readonly a: number; readonly b: number; readonly c: number }): readonly number[][] {
  const upTo = (most: number) => Array.from({ length: most + 1 }, (_, count) => count);
  return upTo(c).flatMap((c) => upTo(b).flatMap((b) => upTo(a).map((a) => [a, b, c])));
}

test("BudgetSets.spend() does to a set what taking one off does to each of its budgets", () => {
  fc.assert(
    fc.property(budgets, fc.array(fc.nat()), fc.nat(2), (budget, picks, counter) => {
      const sets = new BudgetSets(budget);
      const known = all(budget);
      expect(sets.size).toBe(known.length);
      const from = new Int32Array(sets.words + 1);
      const into = new Int32Array(sets.words + 1);
      // What stands behind a set is not of it.
      from[sets.words] = -1;
      const expected = new Set<string>();
      for (const pick of picks) {
        const number = pick % known.length;
        from[number >>> 5] = (from[number >>> 5] ?? 0) | (1 << (number & 31));
        const counts = known[number] ?? [];
        if ((counts[counter] ?? 0) > 0) expected.add(String(counts.with(counter, (counts[counter] ?? 0) - 1)));
      }
      sets.spend(from, 0, counter, into, 0);
      const found = known.filter((_, number) => (((into[number >>> 5] ?? 0) >>> (number & 31)) & 1) === 1).map(String);
      expect(new Set(found)).toEqual(expected);
      expect(countOf(into, 0, sets.words)).toBe(expected.size);
    }),
    { numRuns: 500, seed: 5 },
  );
});

test("BudgetSets.addWhole() adds the budget of which nothing is spent", () => {
  const sets = new BudgetSets({ a: 3, b: 10 });
  const set = new Int32Array(sets.words);
  sets.addWhole(set, 0);
  expect([sets.size, sets.words, [...set]]).toEqual([44, 2, [0, 1 << 11]]);
});

test("ones() counts bits", () => {
  for (const word of [0, 1, -1, 0x8000_0000, 0x5555_5555, -2, 12_345_678]) {
    expect(ones(word)).toBe([...(word >>> 0).toString(2)].filter((digit) => digit === "1").length);
  }
});
