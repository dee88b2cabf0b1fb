import { describe, expect, test } from "vitest";
import { smallBounds } from "./bounds.ts";
import { always, atQuiescence, everyStep } from "./invariants.ts";
import { agentMutants } from "./mutants.ts";
import { mutantNamed, refute, usual } from "./testing/refute.ts";

/** What refutes each mutant first, and after how many inputs: the shortest counterexample there is. */
const refuted: Readonly<Record<string, readonly [string, number]>> = {
  "parks late wakes": ["agent/no-dropped-wake", 4],
  "parks wakes of maintenance": ["agent/maintenance-exclusive", 3],
  "parks wakes behind a failure": ["agent/no-dropped-wake", 5],
  "latches every wake": ["agent/no-empty-replay", 3],
  "latches when disposed": ["agent/dispose-fence", 2],
  "steers a stopped turn": ["agent/late-steer-queues", 3],
  "steers a closing turn": ["agent/late-steer-queues", 4],
  "wakes for context": ["agent/context-never-wakes", 1],
  "sleeps through steers": ["agent/idle-wake-opens-turn", 1],
  "accepts an id twice": ["agent/at-most-once", 3],
  "retracts without a note": ["agent/log-rebuilds-inbox", 2],
  "retracts on paper": ["agent/log-rebuilds-inbox", 2],
  "clears prompts only": ["agent/cleared-stays-cleared", 2],
  "clears around the batch": ["agent/log-rebuilds-inbox", 3],
  "keeps the latch under parking all": ["agent/parked-stays-parked", 4],
  "empties the latch on every stop": ["agent/maintenance-exclusive", 4],
  "idles on cancel": ["agent/idle-is-true", 2],
  "arms a stop at idle": ["agent/idle-cancel-arms-nothing", 1],
  "forgets the inbox on dispose": ["agent/log-rebuilds-inbox", 2],
  "disposes in silence": ["agent/dispose-fence", 1],
  "maintains while busy": ["agent/single-writer", 2],
  "maintains after dispose": ["agent/dispose-fence", 2],
  "claims after a stop": ["agent/cancel-bites", 3],
  "runs a step after a stop": ["agent/cancel-bites", 4],
  "goes on after a stop": ["agent/cancel-bites", 5],
  "swallows a stop on the boundary": ["agent/parked-stays-parked", 4],
  "aborts what was not stopped": ["agent/idle-cancel-arms-nothing", 4],
  "drops the batch of a stop": ["agent/log-rebuilds-inbox", 4],
  "gives back behind the others": ["agent/log-rebuilds-inbox", 5],
  "blocks in silence": ["agent/log-rebuilds-inbox", 3],
  "enters what is pending": ["agent/at-most-once", 4],
  "runs an empty turn": ["agent/idle-wake-opens-turn", 3],
  "forgets the tools": ["agent/tools-are-answered", 4],
  "leaves tools unanswered": ["agent/tools-are-answered", 5],
  "steps on for context": ["agent/context-never-wakes", 5],
  "opens a turn for context": ["agent/context-never-wakes", 5],
  "leaves prompts behind": ["agent/no-dropped-wake", 5],
  "parks under drain": ["agent/no-dropped-wake", 5],
  "claims all": ["agent/late-steer-queues", 3],
  "claims the newest": ["agent/log-rebuilds-inbox", 3],
  "forgets a refused record": ["agent/nothing-lost-on-fault", 2],
  "writes a new turn first": ["agent/nothing-lost-on-fault", 3],
  "forgets the latch on a fault": ["agent/no-dropped-wake", 4],
  "faults in silence": ["agent/nothing-lost-on-fault", 2],
  "replays without looking": ["agent/no-empty-replay", 4],
  "replays in one breath": ["agent/status-alternates", 3],
  "replays and is quiescent": ["agent/idle-is-true", 3],
  "never says quiescent": ["agent/idle-is-true", 2],
  "shows maintenance as running": ["agent/status-alternates", 2],
  "counts no turn": ["agent/turn-end-before-turn-start", 6],
  "takes reports of old turns": ["agent/late-report-harmless", 3],
  "takes reports of other stages": ["agent/late-report-harmless", 3],
  "takes reports of other tasks": ["agent/late-report-harmless", 2],
};

/** Each of these runs for ever, and no state or step of it is wrong: `liveness.test.ts`. */
const endless = ["claims no steers"];

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

describe("agentMutants", () => {
  test("agentMutants are refuted, each by a shortest counterexample", async () => {
    const found: Record<string, readonly [string, number]> = {};
    for (const mutant of agentMutants) {
      if (mutant.survives !== undefined || endless.includes(mutant.name)) continue;
      const { violation, counterexample, why } = await refute(mutant);
      found[mutant.name] = [violation?.name ?? `not refuted: ${why}`, counterexample?.steps.length ?? 0];
    }
    expect(found).toEqual(refuted);
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
