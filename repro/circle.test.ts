import fc from "fast-check";
import { expect, test } from "vitest";
import type { Ordering } from "../sim/result.ts";
import { circleIn } from "./circle.ts";

const names = ["a#1", "b#1", "c#1", "d#1", "e#1"];
const orderings = fc.array(fc.record({ first: fc.constantFrom(...names), then: fc.constantFrom(...names) }), {
  maxLength: 8,
});

test("circleIn() finds a circle exactly where no order of the deliveries meets all", () => {
  const orders = permutationsOf(names);
  let [some, none] = [0, 0];
  fc.assert(
    fc.property(orderings, (given) => {
      const met = orders.some((order) => given.every(({ first, then }) => order.indexOf(first) < order.indexOf(then)));
      const circle = circleIn(given);
      expect(circle === null).toBe(met);
      if (circle === null) {
        none++;
        return;
      }
      some++;
      const round = circle.map((at) => given[at]);
      for (const [at, ordering] of round.entries()) {
        expect(ordering?.then).toBe(round[(at + 1) % round.length]?.first);
      }
      expect(new Set(circle).size).toBe(circle.length);
      expect(circle[0]).toBe(Math.min(...circle));
    }),
    { seed: 7, numRuns: 2_000 },
  );
  expect(Math.min(some, none)).toBeGreaterThan(200);
});

test("circleIn() takes as many orderings as a file can hold", () => {
  const many: Ordering[] = Array.from({ length: 50_000 }, (_, at) => ({ first: `a#${at + 1}`, then: `a#${at + 2}` }));
  expect(circleIn(many)).toBeNull();
  expect(circleIn([...many, { first: "a#50001", then: "a#1" }])?.length).toBe(50_001);
});

function permutationsOf(items: readonly string[]): readonly (readonly string[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) => permutationsOf(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}
