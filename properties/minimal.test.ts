/**
 * What a search finds ends so small that nothing single can be taken away: no step of the script, no fault, no ordering,
 * no tick of a late arrival, no choice of data. `MICROLOOM_SEEDS` says how many seeds of each are tried.
 */
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { others, programs } from "../bench/search/all.ts";
import { scenarioOf } from "../bench/search/microloom.ts";
import { lateWake } from "../examples/late-wake.scenario.ts";
import * as asyncMutex from "../examples/libraries/async-mutex.scenario.ts";
import * as genericPool from "../examples/libraries/generic-pool.scenario.ts";
import * as lruCache from "../examples/libraries/lru-cache.scenario.ts";
import * as pLimit from "../examples/libraries/p-limit.scenario.ts";
import * as pQueue from "../examples/libraries/p-queue.scenario.ts";
import * as pRetry from "../examples/libraries/p-retry.scenario.ts";
import * as rxjs from "../examples/libraries/rxjs.scenario.ts";
import { type ExploreResult, explore } from "../repro/explore.ts";
import { replay } from "../repro/replay.ts";
import { readRepro } from "../repro/repro-file.ts";
import { needlessIn } from "../repro/testing/one-less.ts";
import type { ExploreOptions } from "../sim/result.ts";
import { isScenario, type Scenario } from "../sim/scenario.ts";
import { agentScenario, looksThenLeaves, parksLateWakes } from "./agent/scenarios.ts";
import { cancel, type Script, send } from "./agent/script.ts";
import { scripts } from "./agent/scripts.ts";
import { LooksThenLeaves } from "./agent/subjects/looks-then-leaves.ts";
import { builtInScenarios } from "./index.ts";
import type { LeaseScript } from "./lease/script.ts";
import { leaseScriptScenario } from "./lease/script-scenario.ts";
import { RefusesSiblings } from "./lease/subjects/refuses-siblings.ts";
import { scripts as leaseScripts } from "./lease/testing/scripts.ts";

const seeds = Array.from({ length: Number(process.env.MICROLOOM_SEEDS ?? 2) }, (_, seed) => String(seed + 1));
const timeoutMs = 600_000;

type Violated = Extract<ExploreResult, { outcome: "violated" }>;

/** Explores, and expects that what is found fails again and has nothing needless in it; null where nothing is found. */
async function expectMinimal(scenario: Scenario, options: ExploreOptions): Promise<Violated | null> {
  const result = await explore(scenario, options);
  if (result.outcome === "held") return null;
  if (result.outcome !== "violated") throw new Error(`${scenario.name} has ${result.outcome}: ${result.detail}`);
  const { repro } = result;
  expect(await replay(scenario, { ...repro, choices: null })).toMatchObject({
    outcome: "violated",
    unmet: [],
    neverAppeared: [],
    violation: { name: repro.violates },
  });
  expect([scenario.name, options.seed, repro, await needlessIn(scenario, repro)]).toEqual([
    scenario.name,
    options.seed,
    repro,
    [],
  ]);
  return result;
}

describe("nothing single can be taken away", () => {
  for (const file of readdirSync(resolve("repro/cases")).filter((name) => name.endsWith(".json"))) {
    test(`from the kept case ${file}`, async () => {
      const repro = await readRepro(resolve("repro/cases", file));
      const scenario = builtInScenarios.get(repro.scenario);
      if (scenario === undefined) throw new Error(`The kept case names ${repro.scenario}, which is not built in`);
      expect(await needlessIn(scenario, repro)).toEqual([]);
    });
  }

  test("from what is found in the examples", { timeout: timeoutMs }, async () => {
    const modules = [asyncMutex, genericPool, lruCache, pLimit, pQueue, pRetry, rxjs];
    const scenarios = [lateWake, ...modules.flatMap((module) => Object.values<unknown>(module).filter(isScenario))];
    let found = 0;
    for (const scenario of scenarios) {
      for (const level of ["spec", "jitter"] as const) {
        if ((await expectMinimal(scenario, { level, executions: 200 })) !== null) found++;
      }
    }
    expect(found).toBeGreaterThan(2);
  });

  for (const program of [...programs, ...others]) {
    test(`from what is found in ${program.name}`, { timeout: timeoutMs }, async () => {
      let found = 0;
      for (const seed of seeds) {
        if ((await expectMinimal(scenarioOf(program), { seed, executions: 3_000 })) !== null) found++;
      }
      expect(found).toBeGreaterThan(0);
    });
  }
});

/** A script with the smallest story of its subject somewhere in it. */
const longAgentScript: Script = [
  { type: "retract", id: "z" },
  send("a"),
  send("c", "queue"),
  cancel("stop", { keepInbox: true }),
  send("b"),
  { type: "retract", id: "c" },
];
const request = { type: "request", owner: "run", needsApproval: false, aborted: false } as const;
const longLeaseScript: LeaseScript = [
  { type: "policy", caseSensitive: true },
  { ...request, call: "look", footprint: { kind: "none" } },
  { ...request, call: "edit", footprint: { kind: "file", path: "src/a.ts" } },
  { type: "spawn", child: "child", owner: "run", paths: ["src", "docs"] },
  { ...request, call: "command", footprint: { kind: "workspace" } },
  { type: "release", call: "edit" },
  { type: "wait", ms: 5 },
  { type: "close", owner: "run" },
];
const refusing = leaseScriptScenario({ name: "refuses siblings", make: (ports) => new RefusesSiblings(ports) });
const leaving = agentScenario({ name: "looks, then leaves", make: (ports) => new LooksThenLeaves(ports), chunks: 2 });

describe("a script is shrunk, too", () => {
  test("explore() takes from a script what the failure does not need", { timeout: timeoutMs }, async () => {
    let shortest = 0;
    for (const seed of seeds) {
      const found = await expectMinimal(parksLateWakes, { script: longAgentScript, seed });
      expect(found?.repro.script.length).toBeLessThanOrEqual(3);
      expect(found?.extra?.script).toBeGreaterThan(0);
      const fragile = await expectMinimal(looksThenLeaves, { script: longAgentScript, level: "jitter", seed });
      // Of twenty seeds one keeps a fourth step. Without it the steps around it would have to come at other ticks, and
      // none of the schedules that are tried for a script has those; with them no single step can go.
      expect(fragile?.repro.script.length).toBeLessThanOrEqual(4);
      if (fragile?.repro.script.length === 3) shortest++;
    }
    expect(shortest / seeds.length).toBeGreaterThanOrEqual(0.9);
  });

  test("explore() shrinks the script of a lease scheduler", { timeout: timeoutMs }, async () => {
    for (const seed of seeds) {
      const found = await expectMinimal(refusing, { script: longLeaseScript, seed });
      expect(found?.repro.script.length).toBeLessThanOrEqual(2);
    }
  });

  test("random scripts of an agent end minimal", { timeout: timeoutMs }, async () => {
    let found = 0;
    for (const script of fc.sample(scripts(9), { numRuns: 15 * seeds.length, seed: 11 })) {
      if ((await expectMinimal(parksLateWakes, { script, executions: 100 })) !== null) found++;
      if ((await expectMinimal(leaving, { script, level: "jitter", executions: 100 })) !== null) found++;
    }
    expect(found).toBeGreaterThan(2);
  });

  test("random scripts of a lease scheduler end minimal", { timeout: timeoutMs }, async () => {
    let found = 0;
    for (const script of fc.sample(leaseScripts, { numRuns: 6 * seeds.length, seed: 11 })) {
      if ((await expectMinimal(refusing, { script, executions: 40 })) !== null) found++;
    }
    expect(found).toBeGreaterThan(2);
  });
});
