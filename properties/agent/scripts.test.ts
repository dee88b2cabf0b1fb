import fc from "fast-check";
import { expect, test } from "vitest";
import { createAgent } from "../../core/agent/host.ts";
import type { Level } from "../../sim/result.ts";
import type { Scenario } from "../../sim/scenario.ts";
import { search } from "../../sim/search.ts";
import { agentGoals } from "./goals.ts";
import type { OutsideOptions } from "./outside.ts";
import { agentScenario, coreAgent, looksThenLeaves, parksLateWakes } from "./scenarios.ts";
import { parseScript, type Script, send } from "./script.ts";
import { describeScript, drawScripts, scripts, wholeScripts } from "./scripts.ts";
import { swept } from "./swept.ts";

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

test("drawScripts() gives the same scripts for the same seed, no two of them equal, and each can be read", () => {
  const drawn = drawScripts({ seed: "a", count: 80 });
  expect(drawn).toHaveLength(80);
  expect(drawScripts({ seed: "a", count: 80 })).toEqual(drawn);
  expect(drawScripts({ seed: "b", count: 80 })).not.toEqual(drawn);
  expect(new Set(drawn.map((script) => JSON.stringify(script))).size).toBe(80);
  for (const script of drawn) expect(parseScript(JSON.parse(JSON.stringify(script)))).toEqual(script);
  const outsides = drawn.filter(([first]) => first?.type === "outside").length;
  expect(outsides).toBeGreaterThan(20);
  expect(outsides).toBeLessThan(60);
});

test("drawScripts() has every kind of step, and commands from inside", () => {
  const drawn = drawScripts({ seed: "a", count: 200 }).flat();
  const kinds = new Set(drawn.map(kindOf));
  for (const kind of ["followUp", "steer", "inject", "queue", "retract", "keep", "clear", "dispose", "maintain"])
    expect([...kinds]).toEqual(expect.arrayContaining([kind, `inside ${kind}`]));
  expect([...kinds]).toEqual(expect.arrayContaining(["await", "outside"]));
});

test("drawScripts() leaves out what it is told to, also from inside and outside", () => {
  const words = ["next-step", "queue", "cancel-keep", "retract", "maintenance", "dispose", "write-faults"];
  const drawn = drawScripts({ seed: "a", count: 100, without: [...words, "approvals"] });
  const kinds = new Set(drawn.flat().map(kindOf));
  expect([...kinds].toSorted()).toEqual(["await", "clear", "followUp", "inside clear", "inside followUp", "outside"]);
  expect(JSON.stringify(drawn)).not.toMatch(/notes|turn-records/);
  expect(drawScripts({ seed: "a", count: 3, most: 1, without: [...words, "cancel-clear"] }).length).toBe(3);
});

test("swept() puts a command at every place of a script, behind how the outside is", () => {
  const stop = { type: "cancel", cause: "stop", keepInbox: true } as const;
  const outside = { type: "outside", decides: true } as const;
  expect(swept([outside, send("a"), send("b")], stop)).toEqual([
    [outside, stop, send("a"), send("b")],
    [outside, send("a"), stop, send("b")],
    [outside, send("a"), send("b"), stop],
  ]);
  expect(swept([], stop)).toEqual([[stop]]);
});

test("describeScript() says what is given from inside, and how the outside is", () => {
  const script: Script = [
    { type: "outside", slow: ["notes"] },
    send("a", "steer"),
    { type: "inside", at: "turn/end", do: { type: "cancel", cause: "stop", keepInbox: false } },
  ];
  expect(describeScript(script)).toBe('outside {"slow":["notes"]}, steer a, inside turn/end: cancel clear');
});

/** What kind of step it is, as the words of the contract have it. */
function kindOf(step: Script[number]): string {
  if (step.type === "inside") return `inside ${kindOf(step.do)}`;
  if (step.type === "cancel") return step.keepInbox ? "keep" : "clear";
  return step.type === "send" ? (describeScript([step]).split(" ")[0] ?? "send") : step.type;
}

test(
  "whatever is drawn for a check, the core holds, and between them the scripts reach every goal",
  async () => {
    const reached = new Set<string>();
    const watched = agentScenario({
      name: "core",
      make: (ports) => createAgent(ports),
      slow: ["turn-records"],
      goals: agentGoals.map(({ goal }) => goal),
    });
    for (const script of drawScripts({ seed: "goals", count: 60 })) {
      const options = { strategy: "random", executions: 100, seed: describeScript(script), script } as const;
      const result = await search(watched, options);
      expect(result).toMatchObject({ outcome: "held" });
      if (result.outcome !== "held") continue;
      for (const [name, times] of Object.entries(result.reached.goals)) if (times > 0) reached.add(name);
    }
    expect(agentGoals.map(({ goal }) => goal.name).filter((name) => !reached.has(name))).toEqual([]);
  },
  timeoutMs,
);
