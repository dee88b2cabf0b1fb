import { expect, test } from "vitest";
import { Random, streamSeed } from "../random.ts";
import { Draws } from "./draws.ts";
import { programOf } from "./program.ts";
import { shrinkDraws } from "./shrink.ts";

test("shrinkDraws() leaves only what the failure needs, as small as it may be", async () => {
  const kept = Array.from({ length: 200 }, (_, index) => (index * 7) % 50);
  const small = await shrinkDraws(kept, async (draws) => draws.some((drawn) => drawn >= 20));
  expect(small).toHaveLength(1);
  expect(small[0]).toBeGreaterThanOrEqual(20);
  expect(small[0]).toBeLessThan(40);
});

test("shrinkDraws() ends where nothing smaller fails", async () => {
  const kept = [3, 1, 2];
  expect(await shrinkDraws(kept, async (draws) => draws.length === 3 && draws[0] === 3)).toEqual([3, 0, 0]);
});

test("programOf() makes the same program of the draws that it has kept", () => {
  const draws = Draws.fresh(new Random(streamSeed("draws", "world")));
  const { text, groups } = programOf(draws);
  const again = programOf(Draws.again(draws.kept));
  expect(again.text).toBe(text);
  expect(again.groups).toEqual(groups);
});
