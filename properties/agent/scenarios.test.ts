import { describe, expect, test } from "vitest";
import { explore } from "../../repro/explore.ts";
import type { ExploreOptions, Level, StrategyName } from "../../sim/result.ts";
import type { Scenario } from "../../sim/scenario.ts";
import { search } from "../../sim/search.ts";
import { builtInScenarios } from "../index.ts";
import type { Labels } from "./outside.ts";
import { agentScenario, coreAgent, looksThenLeaves, parksLateWakes } from "./scenarios.ts";
import { cancel, send } from "./script.ts";
import { ParksLateWakes } from "./subjects/parks-late-wakes.ts";

// A campaign takes a while on a busy machine; how long says nothing about the agents.
const timeoutMs = 300_000;
const dropped = "agent/no-dropped-wake";
const seeds = Array.from({ length: 20 }, (_, seed) => String(seed));
const strategies: readonly StrategyName[] = ["placement", "random"];
const levels: readonly Level[] = ["spec", "jitter"];
const exhaustive: ExploreOptions = { strategy: "depth-first", executions: 100_000 };

/** How many of the seeds lead to a forgotten wake within 200 executions. */
async function timesFound(scenario: Scenario, strategy: StrategyName): Promise<number> {
  let found = 0;
  for (const seed of seeds) {
    const result = await search(scenario, { level: "spec", strategy, executions: 200, seed });
    if (result.outcome === "violated" && result.violation.name === dropped && result.executions < 200) found++;
  }
  return found;
}

// The same agent under other names: what is found must not hang on how things are called.
class Assistant extends ParksLateWakes {}
const otherLabels: Labels = {
  turnStart: "journal:open",
  turnEnd: "journal:close",
  note: "journal:write",
  propose: "rules:ask",
  model: "llm:token",
  tool: "shell:run",
  teardown: "llm:hang up",
  maintenance: "journal:compact",
};
const assistant = agentScenario({
  name: "assistant",
  make: (ports) => new Assistant(ports),
  labels: otherLabels,
  chunks: 2,
});
const withStorage = agentScenario({
  name: "assistant with slow storage",
  make: (ports) => new Assistant(ports),
  labels: otherLabels,
  chunks: 2,
  slow: ["turn-records"],
});

test("builtInScenarios are found by the names that repro files use", () => {
  expect([...builtInScenarios.keys()].filter((name) => name.startsWith("microloom:agent/"))).toEqual([
    "microloom:agent/parks-late-wakes",
    "microloom:agent/looks-then-leaves",
    "microloom:agent/parks-late-wakes-maintenance",
    "microloom:agent/idles-on-cancel",
    "microloom:agent/latches-every-wake",
    "microloom:agent/replays-by-promise",
    "microloom:agent/guards-idle-wake",
    "microloom:agent/keeps-latch-on-clear",
    "microloom:agent/latches-when-disposed",
    "microloom:agent/first-cause-decides-dispose",
    "microloom:agent/fresh-controller-at-boundary",
    "microloom:agent/by-the-book",
    "microloom:agent/core",
  ]);
  for (const [name, scenario] of builtInScenarios) expect(scenario.name).toBe(name);
});

describe("the first-come schedule", () => {
  for (const scenario of [parksLateWakes, looksThenLeaves, coreAgent, assistant, withStorage]) {
    test(`holds in ${scenario.name}`, async () => {
      expect(await search(scenario, { strategy: "first-come" })).toMatchObject({ outcome: "held", executions: 1 });
    });
  }
});

describe("parks-late-wakes", () => {
  for (const strategy of strategies) {
    test(
      `is found by ${strategy} from every seed, whatever things are called`,
      async () => {
        expect(await timesFound(parksLateWakes, strategy)).toBe(seeds.length);
        expect(await timesFound(assistant, strategy)).toBe(seeds.length);
        expect(await timesFound(withStorage, strategy)).toBe(seeds.length);
      },
      timeoutMs,
    );
  }

  test("shrinks to two orderings in plain words", async () => {
    const result = await explore(parksLateWakes, { strategy: "placement", executions: 200, seed: "0" });
    expect(result).toMatchObject({
      outcome: "violated",
      verdict: "bug",
      violation: { kind: "quiescence", name: dropped },
      repro: {
        orderings: [
          { first: "user:stop#1", then: "agent:model#1" },
          { first: "user:send b#1", then: "agent:teardown#1" },
        ],
        criticalPair: ["user:send b#1", "agent:teardown#1"],
      },
    });
  });
});

describe("looks-then-leaves", () => {
  test("holds in every order of deliveries", async () => {
    expect(await search(looksThenLeaves, { level: "spec", ...exhaustive })).toMatchObject({
      outcome: "held",
      certificate: { level: "spec" },
    });
  });

  test("forgets a wake that arrives between the last look and the exit, stopped or not", async () => {
    const wakes = [send("a"), send("b")];
    for (const script of [undefined, wakes]) {
      const options: ExploreOptions = { level: "jitter", ...exhaustive, ...(script && { script }) };
      expect(await search(looksThenLeaves, options)).toMatchObject({
        outcome: "violated",
        violation: { name: dropped },
      });
    }
    expect(await search(looksThenLeaves, { level: "spec", ...exhaustive, script: wakes })).toMatchObject({
      outcome: "held",
    });
  });
});

describe("core", () => {
  for (const level of levels) {
    test(
      `holds in every order at level ${level}, and every goal is reached`,
      async () => {
        const result = await search(coreAgent, { level, ...exhaustive });
        expect(result).toMatchObject({ outcome: "held", certificate: { level }, reached: { missing: [] } });
      },
      timeoutMs,
    );
  }
});

test("agentScenario() names the step that an agent cannot take", async () => {
  const bare = agentScenario({
    name: "bare",
    make: (ports) => {
      const agent = new ParksLateWakes(ports);
      return {
        send: (message) => agent.send(message),
        cancel: (cause, how) => agent.cancel(cause, how),
        whenIdle: () => agent.whenIdle(),
      };
    },
  });
  const running = search(bare, { strategy: "first-come", script: [{ type: "dispose" }] });
  await expect(running).rejects.toThrow('Cannot run the step "dispose": the agent has no method for it');
});

test("agentScenario() holds later steps back behind an await, and requires that it ends", async () => {
  const script = [send("a"), { type: "await", name: "idle" }, cancel("stop", { keepInbox: true }), send("b")];
  const result = await search(parksLateWakes, { ...exhaustive, script });
  expect(result).toMatchObject({ outcome: "held", certificate: { level: "spec" } });
});
