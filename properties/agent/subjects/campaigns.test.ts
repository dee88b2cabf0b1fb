/** What the harness finds in the subjects, and that it finds nothing where nothing is wrong. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAgent } from "../../../core/agent/host.ts";
import type { ExploreOptions, Level } from "../../../sim/result.ts";
import type { Scenario } from "../../../sim/scenario.ts";
import { search } from "../../../sim/search.ts";
import type { OutsideOptions } from "../outside.ts";
import type { AgentPorts, AgentUnderTest } from "../ports.ts";
import { agentScenario, coreAgent, looksThenLeaves, parksLateWakes } from "../scenarios.ts";
import { lateWake, type Script } from "../script.ts";
import { describeScript, wholeScripts } from "../scripts.ts";
import { ByTheBook } from "./by-the-book.ts";
import {
  byTheBook,
  firstCauseDecidesDispose,
  freshControllerAtBoundary,
  guardsIdleWake,
  idlesOnCancel,
  keepsLatchOnClear,
  latchesEveryWake,
  latchesWhenDisposed,
  parksLateWakesMaintenance,
  replaysByPromise,
  stories,
} from "./scenarios.ts";

// A campaign takes a while on a busy machine; how long says nothing about the agents.
const timeoutMs = 300_000;
const seeds = Array.from({ length: 20 }, (_, seed) => String(seed));
const levels: readonly Level[] = ["spec", "jitter"];

type Fault = {
  readonly subject: Scenario;
  /** What is reported first; then what inevitably breaks with it. */
  readonly breaks: readonly [string, ...string[]];
  readonly level?: Level;
};

const faults: readonly Fault[] = [
  { subject: parksLateWakes, breaks: ["agent/no-dropped-wake"] },
  { subject: parksLateWakesMaintenance, breaks: ["agent/no-dropped-wake"] },
  { subject: idlesOnCancel, breaks: ["agent/single-writer", "agent/turn-end-before-turn-start", "agent/cancel-bites"] },
  { subject: latchesEveryWake, breaks: ["agent/parked-stays-parked"] },
  { subject: replaysByPromise, breaks: ["agent/idle-is-true"] },
  { subject: guardsIdleWake, breaks: ["agent/idle-wake-opens-turn"] },
  { subject: keepsLatchOnClear, breaks: ["agent/cleared-stays-cleared", "agent/no-empty-replay"] },
  { subject: latchesWhenDisposed, breaks: ["agent/dispose-fence"] },
  { subject: firstCauseDecidesDispose, breaks: ["agent/dispose-fence"] },
  { subject: freshControllerAtBoundary, breaks: ["agent/parked-stays-parked", "agent/cancel-bites"] },
  { subject: looksThenLeaves, breaks: ["agent/no-dropped-wake"], level: "jitter" },
];

/** What was violated, or null where it held. */
async function broken(scenario: Scenario, options: ExploreOptions): Promise<string | null> {
  const result = await search(scenario, options);
  if (result.outcome === "held") return null;
  return result.outcome === "violated" ? result.violation.name : `${result.outcome}: ${result.detail}`;
}

describe("with its own script", () => {
  for (const { subject, breaks, level = "spec" } of faults) {
    test(`${subject.name} is found to break ${breaks[0]}, from every seed`, { timeout: timeoutMs }, async () => {
      for (const seed of seeds) expect(await broken(subject, { level, executions: 3_000, seed })).toBe(breaks[0]);
    });

    test(`${subject.name} holds in the order of arrival`, async () => {
      expect(await broken(subject, { strategy: "first-come" })).toBeNull();
    });
  }

  for (const level of levels) {
    test(`an agent by the book and the core hold in all of them at level ${level}`, {
      timeout: timeoutMs,
    }, async () => {
      for (const script of new Set<Script>([lateWake, ...Object.values(stories)])) {
        for (const right of [byTheBook, coreAgent]) {
          const found = await broken(right, { level, executions: 60, script });
          expect([right.name, describeScript(script), found]).toEqual([right.name, describeScript(script), null]);
        }
      }
    });
  }
});

// Everything that a wait can do: slow records and proposals, refusals, tools.
const outsides: fc.Arbitrary<Pick<OutsideOptions, "slow" | "mayFail" | "plan">> = fc.record({
  slow: fc.subarray<OutsideOptions["slow"][number]>(["notes", "turn-records", "proposals"]),
  mayFail: fc.subarray<OutsideOptions["mayFail"][number]>(["notes", "turn-records", "proposals", "steps"]),
  plan: fc.constantFrom<readonly string[]>([], ["read", "write"]).map((tools) => (_turn: number, step: number) => ({
    tools: step === 1 ? tools : [],
    outcome: step === 1 && tools.length > 0 ? "continue" : "completed",
  })),
});

describe("with any script", () => {
  // Fixed, so that every machine runs the same campaign; fast-check prints it with the path to a failure.
  const seed = 1838;
  const right: Readonly<Record<string, (ports: AgentPorts) => AgentUnderTest>> = {
    "by the book": (ports) => new ByTheBook(ports),
    core: (ports) => createAgent(ports),
  };
  const few = (level: Level, script: Script): ExploreOptions => ({
    level,
    strategy: "random",
    executions: 20,
    seed: describeScript(script),
    script,
  });

  test("an agent by the book and the core hold, with slow storage, tools and faults", {
    timeout: timeoutMs,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(wholeScripts(6), outsides, async (script, outside) => {
        for (const [name, make] of Object.entries(right)) {
          const scenario = agentScenario({ name, make, ...outside });
          for (const level of levels) expect([name, await broken(scenario, few(level, script))]).toEqual([name, null]);
        }
      }),
      { numRuns: 20, seed },
    );
  });

  test("each subject breaks what its story says and nothing else", { timeout: timeoutMs }, async () => {
    await fc.assert(
      fc.asyncProperty(wholeScripts(6), async (script) => {
        for (const { subject, breaks, level = "spec" } of faults) {
          const found = await broken(subject, few(level, script));
          expect([subject.name, found === null || breaks.includes(found) || found]).toEqual([subject.name, true]);
        }
        expect(await broken(looksThenLeaves, few("spec", script))).toBeNull();
      }),
      { numRuns: 15, seed },
    );
  });
});
