import { describe, expect, test, vi } from "vitest";
import { agentMutants } from "./all.ts";
import { drawn } from "./testing/drawn.ts";
import { inPlace } from "./testing/in-place.ts";
import { firstSeen } from "./testing/in-the-host.ts";
import { seenBy } from "./testing/verdicts.ts";

vi.mock(import("../../../core/agent/transition.ts"), async (original) => {
  const { delegating } = await import("./testing/in-place.ts");
  return delegating(await original());
});

// A mutant that is not seen takes the whole budget.
const timeoutMs = 1_200_000;

describe("agentMutants in the host", () => {
  test("nothing is seen of the transition that ships", async () => expect(await firstSeen()).toBeNull(), timeoutMs);

  test(
    "those drawn are refuted from outside as the table says",
    async () => {
      const judged = drawn(agentMutants);
      const found: Record<string, unknown> = {};
      for (const mutant of judged) found[mutant.name] = await inPlace(mutant, () => firstSeen(mutant.policy));
      expect(found).toEqual(Object.fromEntries(judged.map(({ name }) => [name, seenBy("host", name)])));
    },
    timeoutMs,
  );

  test("drawn() takes five by a word, other ones by another, and all if asked to", () => {
    const names = (by: string) => drawn(agentMutants, by).map(({ name }) => name);
    expect(names("one")).toHaveLength(5);
    expect(names("one")).toEqual(names("one"));
    expect(names("one")).not.toEqual(names("other"));
    expect(names("all")).toHaveLength(agentMutants.length);
  });
});
