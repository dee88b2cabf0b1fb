import fc from "fast-check";
import { expect, test } from "vitest";
import { createLeaseScheduler } from "../../core/lease/host.ts";
import { search } from "../../sim/search.ts";
import { hostScenarios } from "../hosts.ts";
import type { LeaseHistory } from "./history.ts";
import type { LeaseScript } from "./script.ts";
import { coreLeaseScript, leaseScriptScenario } from "./script-scenario.ts";
import { RefusesSiblings } from "./subjects/refuses-siblings.ts";
import { scripts } from "./testing/scripts.ts";

const workspace = { kind: "workspace" } as const;
const asked = { type: "request", owner: "run", footprint: workspace, needsApproval: false, aborted: false } as const;
const oneAfterTheOther: LeaseScript = [
  { ...asked, call: "c1" },
  { ...asked, call: "c2" },
  { type: "await", name: "c1" },
  { type: "release", call: "c1" },
  { type: "await", name: "c2" },
  { type: "release", call: "c2" },
];

test("the core keeps its promises in random scripts, whatever comes between", async () => {
  for (const script of fc.sample(scripts, { numRuns: 20, seed: 7 })) {
    const found = await search(coreLeaseScript, { script, executions: 10 });
    const told = found.outcome === "violated" ? `${found.violation.name}: ${found.violation.detail}` : found.outcome;
    expect([JSON.stringify(script), told]).toEqual([JSON.stringify(script), "held"]);
  }
});

test("await lets the rest of a script wait until a call has its outcome", async () => {
  const histories: LeaseHistory[] = [];
  const scenario = leaseScriptScenario({
    name: "one after the other",
    make: (ports, policy) => createLeaseScheduler(ports, policy),
    onHistory: (history) => histories.push(history),
  });
  expect(await search(scenario, { script: oneAfterTheOther, strategy: "first-come" })).toMatchObject({
    outcome: "held",
  });
  const seen = histories
    .at(-1)
    ?.sightings.flatMap((sighting) => ("call" in sighting ? [`${sighting.seen} ${sighting.call}`] : []));
  expect(seen).toEqual(["requested c1", "granted c1", "requested c2", "released c1", "granted c2", "released c2"]);
});

test("a scheduler of another kind is judged by the same promises", async () => {
  const refuses = leaseScriptScenario({ name: "refuses", make: (ports) => new RefusesSiblings(ports) });
  const found = await search(refuses, { script: oneAfterTheOther.slice(0, 2), strategy: "first-come" });
  expect(found).toMatchObject({ outcome: "violated", violation: { name: "lease/sibling-calls-queue" } });
});

test("a repro finds the scenario by its name", () => {
  expect(hostScenarios.get("microloom:lease/script")).toBe(coreLeaseScript);
});
