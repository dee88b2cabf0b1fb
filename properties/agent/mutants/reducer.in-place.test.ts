import { describe, expect, test, vi } from "vitest";
import { agentMutants } from "./all.ts";
import { inPlace } from "./testing/in-place.ts";
import { firstBroken, firstDifference, randomLives } from "./testing/random-lives.ts";
import { seenBy } from "./testing/verdicts.ts";

vi.mock(import("../../../core/agent/transition.ts"), async (original) => {
  const { delegating } = await import("./testing/in-place.ts");
  return delegating(await original());
});

const lives = randomLives(1_000, 1);

describe("agentMutants on random lives", () => {
  test("nothing is seen of the transition that ships", () => {
    expect([firstDifference(lives), firstBroken(lives)]).toEqual([null, null]);
  });

  for (const suite of ["reading", "core"] as const) {
    const judge = suite === "reading" ? firstDifference : firstBroken;
    test(`agentMutants are refuted by the ${suite === "reading" ? "second reading" : "core's invariants"} as it says`, async () => {
      const found: Record<string, unknown> = {};
      for (const mutant of agentMutants) {
        found[mutant.name] = await inPlace(mutant, () => judge(lives, mutant.policy));
      }
      expect(found).toEqual(Object.fromEntries(agentMutants.map(({ name }) => [name, seenBy(suite, name)])));
    });
  }
});
