import fc from "fast-check";
import { expect, test } from "vitest";
import { createAgent } from "../../core/agent/host.ts";
import type { Level } from "../../sim/result.ts";
import type { Scenario } from "../../sim/scenario.ts";
import { search } from "../../sim/search.ts";
import type { OutsideOptions } from "./outside.ts";
import { agentScenario, coreAgent, looksThenLeaves, parksLateWakes } from "./scenarios.ts";
import type { Script } from "./script.ts";
import { describeScript, scripts, wholeScripts } from "./scripts.ts";

// A campaign takes a while on a busy machine; how long says nothing about the agents.
const timeoutMs = 300_000;
// Fixed, so that every machine runs the same campaign; fast-check prints it with the path to a failure.
const seed = 1838;

/** Runs a script under a few schedules. Returns what was violated, or null. */
async function violated(scenario: Scenario, level: Level, script: Script): Promise<string | null> {
  const result = await search(scenario, {
    level,
    strategy: "random",
    executions: 20,
    seed: describeScript(script),
    script,
  });
  if (result.outcome === "held") return null;
  return result.outcome === "violated" ? result.violation.name : `${result.outcome}: ${result.detail}`;
}

test(
  "whatever is sent, stopped and retracted: the core holds, looks-then-leaves holds at spec, parks-late-wakes forgets",
  async () => {
    const forgotten: string[] = [];
    await fc.assert(
      fc.asyncProperty(scripts(6), async (script) => {
        expect(await violated(coreAgent, "spec", script)).toBeNull();
        expect(await violated(coreAgent, "jitter", script)).toBeNull();
        expect(await violated(looksThenLeaves, "spec", script)).toBeNull();
        const found = await violated(parksLateWakes, "spec", script);
        expect([null, "agent/no-dropped-wake"]).toContain(found);
        if (found !== null) forgotten.push(describeScript(script));
      }),
      { numRuns: 60, seed },
    );
    expect(forgotten.length).toBeGreaterThan(0);
  },
  timeoutMs,
);

// Everything that a wait can do to an invariant that judges by the wrong sighting: slow notes, refused records, tools.
const outsides: fc.Arbitrary<Pick<OutsideOptions, "chunks" | "slow" | "mayFail" | "plan">> = fc.record({
  chunks: fc.constantFrom(1, 2),
  slow: fc.subarray<OutsideOptions["slow"][number]>(["notes", "turn-records", "proposals"]),
  mayFail: fc.subarray<OutsideOptions["mayFail"][number]>(["notes", "turn-records", "proposals", "steps"]),
  plan: fc
    .constantFrom<readonly string[]>([], ["read"], ["read", "write"])
    .map((tools) => (_turn: number, step: number) => ({
      tools: step === 1 ? tools : [],
      outcome: step === 1 && tools.length > 0 ? "continue" : "completed",
    })),
});
const policies = fc.record({
  parking: fc.constantFrom("unlatched", "all"),
  afterFailure: fc.constantFrom("park", "drain"),
  claim: fc.constantFrom("one", "all"),
});

test(
  "the core holds under every policy, with maintenance, disposal, slow storage and faults",
  async () => {
    await fc.assert(
      fc.asyncProperty(wholeScripts(6), outsides, policies, async (script, outside, policy) => {
        const scenario = agentScenario({
          name: "core",
          make: (ports) => createAgent(ports, policy),
          policy,
          ...outside,
        });
        expect(await violated(scenario, "spec", script)).toBeNull();
        expect(await violated(scenario, "jitter", script)).toBeNull();
      }),
      { numRuns: 50, seed },
    );
  },
  timeoutMs,
);
