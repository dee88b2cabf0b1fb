import { describe, expect, test } from "vitest";
import { smallBounds } from "../model/bounds.ts";
import { always, atQuiescence, everyStep } from "../model/invariants.ts";
import { mutantNamed, refute, usual } from "../model/testing/refute.ts";
import { agentMutants } from "./all.ts";
import { seenBy } from "./testing/verdicts.ts";

/** One mutant for each invariant that it refutes with no other to help. */
const awake: Readonly<Record<string, string>> = {
  "agent/no-dropped-wake": "parks late wakes",
  "agent/turn-end-before-turn-start": "writes a new turn first",
  "agent/single-writer": "maintains while busy",
  "agent/parked-stays-parked": "swallows a stop on the boundary",
  "agent/cleared-stays-cleared": "clears prompts only",
  "agent/idle-wake-opens-turn": "sleeps through steers",
  "agent/no-empty-replay": "replays without looking",
  "agent/cancel-bites": "claims after a stop",
  "agent/idle-cancel-arms-nothing": "aborts what was not stopped",
  "agent/dispose-fence": "latches when disposed",
  "agent/idle-is-true": "never says quiescent",
  "agent/status-alternates": "replays in one breath",
  "agent/at-most-once": "accepts an id twice",
  "agent/lane-order": "claims the newest",
  "agent/log-rebuilds-inbox": "drops the batch of a stop",
  "agent/maintenance-exclusive": "parks wakes of maintenance",
  "agent/tools-are-answered": "forgets the tools",
  "agent/late-steer-queues": "steers a closing turn",
  "agent/context-never-wakes": "opens a turn for context",
  "agent/late-report-harmless": "takes reports of old turns",
  "agent/nothing-lost-on-fault": "forgets a refused record",
};

describe("agentMutants in the model", () => {
  test("agentMutants are refuted, each by a shortest counterexample", async () => {
    const found: Record<string, readonly [string, number]> = {};
    const refuted = agentMutants.filter(({ name }) => seenBy("model", name) !== null);
    for (const mutant of refuted) {
      const { violation, counterexample, why } = await refute(mutant);
      found[mutant.name] = [violation?.name ?? `not refuted: ${why}`, counterexample?.steps.length ?? 0];
    }
    expect(found).toEqual(Object.fromEntries(refuted.map(({ name }) => [name, seenBy("model", name)])));
  });

  test("agentMutants that survive say why, and nothing is seen of them", async () => {
    const survivors = agentMutants.filter(({ survives }) => survives !== undefined);
    expect(survivors.map(({ name }) => name)).toEqual([
      "maintains over an unwritten record",
      "keeps the latch on clear",
      "replaces the cause",
      "aborts again",
      "keeps the latch on dispose",
      "takes max-tokens back",
      "drains under park",
      "claims one",
    ]);
    for (const mutant of survivors) {
      expect([mutant.name, (await refute(mutant, { stateLimit: 800 })).violation]).toEqual([mutant.name, null]);
    }
  });

  test("every invariant is awake: some mutant is refuted by it alone", async () => {
    const names = [...always, ...everyStep(usual), ...atQuiescence].map(({ name }) => name);
    expect(Object.keys(awake).sort()).toEqual([...new Set(names)].sort());
    for (const [only, mutant] of Object.entries(awake)) {
      const { violation } = await refute(mutantNamed(mutant), { only, bounds: smallBounds });
      expect([mutant, violation?.name]).toEqual([mutant, only]);
    }
  });

  test("both halves of idle-is-true that judge states are awake", async () => {
    const only = "agent/idle-is-true";
    const due = await refute(mutantNamed("parks late wakes"), { only });
    expect(due.violation?.saw).toBe("quiescent while a replay is due");
    const asks = await refute(mutantNamed("idles on cancel"), { only });
    expect(asks.violation?.saw).toBe("phase idle with the request write");
  });
});
