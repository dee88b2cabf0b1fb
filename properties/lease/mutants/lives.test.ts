import { describe, expect, test } from "vitest";
import { leaseMutants } from "./all.ts";
import { firstBroken, firstDifference, someLives } from "./testing/lives.ts";
import { byInvariants, byReading, type Seen, searchesAll } from "./testing/who-sees.ts";

const lives = someLives(300, 7);
/** Of one that is not seen, so many are enough to see that the suite runs at all. */
const few = 20;

describe.each([
  ["a second reading of the contract", firstDifference, byReading],
  ["the core's own invariants", firstBroken, byInvariants],
] as const)("%s", (_, see, table) => {
  test.each(leaseMutants)("and $name", (mutant) => {
    const expected = table[mutant.name];
    const first = (upTo: number): Seen | null => {
      for (const [place, life] of lives.slice(0, upTo).entries()) {
        const what = see(mutant, life);
        if (what !== null) return [place, what];
      }
      return null;
    };
    if (expected === undefined) expect(first(searchesAll ? lives.length : few)).toBe(null);
    else if (searchesAll) expect(first(lives.length)).toEqual(expected);
    else expect(lives.slice(expected[0], expected[0] + 1).map((life) => see(mutant, life))).toEqual([expected[1]]);
  });
});
