import { describe, expect, test, vi } from "vitest";
import { replay } from "../../../repro/replay.ts";
import type { Repro } from "../../../repro/repro.ts";
import { agentCounterexample } from "../model/counterexample.ts";
import { refute, usual } from "../model/testing/refute.ts";
import { coreAgentUnder } from "../scenarios.ts";
import { agentMutants } from "./all.ts";
import type { Mutant } from "./mutant.ts";
import { inPlace } from "./testing/in-place.ts";
import { seenBy } from "./testing/verdicts.ts";

vi.mock(import("../../../core/agent/transition.ts"), async (original) => {
  const { delegating } = await import("./testing/in-place.ts");
  return delegating(await original());
});

/** What the model's counterexample of the mutant becomes; null where it becomes no repro, or there is none. */
async function reproOf(mutant: Mutant): Promise<Repro | null> {
  const { violation, counterexample } = await refute(mutant, {
    stateLimit: mutant.survives === undefined ? 6_000 : 10,
  });
  if (violation === null || counterexample === null) return null;
  const policy = { ...usual, ...mutant.policy };
  return (await inPlace(mutant, () => agentCounterexample(policy, violation, counterexample))).repro;
}

async function outcomes(mutant: Mutant, repro: Repro): Promise<readonly string[]> {
  const scenario = coreAgentUnder({ ...usual, ...mutant.policy });
  const outcomes: string[] = [];
  for (const mode of ["strict", "best-effort"] as const) {
    const { outcome, violation } = await inPlace(mutant, () => replay(scenario, repro, { mode }));
    outcomes.push(`${mode}: ${outcome} ${violation?.name === repro.violates ? "the same" : violation?.name}`);
  }
  return outcomes;
}

describe("counterexamples of agentMutants as repros", () => {
  test("each becomes a repro that violates in the mutant's host, strictly and best-effort, and not in the one that ships", async () => {
    const found: Record<string, string | null> = {};
    for (const mutant of agentMutants) {
      const repro = await reproOf(mutant);
      found[mutant.name] = repro?.violates ?? null;
      if (repro === null) continue;
      const scenario = coreAgentUnder({ ...usual, ...mutant.policy });
      expect([mutant.name, ...(await outcomes(mutant, repro))]).toEqual([
        mutant.name,
        "strict: violated the same",
        "best-effort: violated the same",
      ]);
      const shipped = [
        await replay(scenario, repro),
        await replay(scenario, { ...repro, expect: "held", choices: null }),
      ];
      expect([mutant.name, ...shipped.map(({ outcome }) => outcome)]).toEqual([
        mutant.name,
        expect.stringMatching(/^(held|no-longer-fits)$/),
        "held",
      ]);
    }
    expect(found).toEqual(Object.fromEntries(agentMutants.map(({ name }) => [name, seenBy("repro", name)])));
  }, 300_000);

  test("a counterexample that becomes none says why", async () => {
    const because = async (name: string) => {
      const mutant = agentMutants.find((one) => one.name === name);
      const { violation, counterexample } = mutant ? await refute(mutant) : { violation: null, counterexample: null };
      if (mutant === undefined || violation === null || counterexample === null)
        throw new Error(`Cannot refute ${name}`);
      const converted = await inPlace(mutant, () => agentCounterexample(usual, violation, counterexample));
      return converted.repro === null ? converted.because : "it is a repro";
    };
    expect(await because("takes reports of other tasks")).toBe(
      "late: maintained task 0: the host reports each answer once, and no other",
    );
    expect(await because("faults in silence")).toMatch(/^the host does the same, and from outside nothing is seen of/);
  });
});
