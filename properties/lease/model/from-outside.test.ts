import fc from "fast-check";
import { expect, test } from "vitest";
import { createLeaseScheduler } from "../../../core/lease/host.ts";
import { RankChooser } from "../../../repro/rank.ts";
import { planOf } from "../../../sim/bounds.ts";
import { withRunner } from "../../../sim/runner.ts";
import type { LeaseHistory } from "../history.ts";
import { leaseScriptScenario } from "../script-scenario.ts";
import { sayable, told } from "./counterexample.ts";
import { fromOutside } from "./from-outside.ts";
import { settingOf } from "./lease-model.ts";
import { scriptOf } from "./script.ts";
import { options, picks, walk } from "./testing/walk.ts";

test("fromOutside() is what the host shows, in every run that it can bring about", async () => {
  const histories: LeaseHistory[] = [];
  const scenario = leaseScriptScenario({
    name: "a run of the model",
    make: (ports, policy) => createLeaseScheduler(ports, policy),
    onHistory: (history) => histories.push(history),
  });
  for (const [option, picked] of fc.sample(fc.tuple(options, picks), { numRuns: 25, seed: 7 })) {
    const steps = walk(sayable(option), picked.slice(0, 40));
    const { policy, reducer } = settingOf(option);
    const outside = fromOutside(reducer, policy, scriptOf({ steps }).inputs);
    if ("because" in outside) throw new Error(outside.because);
    expect(outside.broken).toBe(null);
    const { script, moves } = told({ policy }, outside.inputs);
    const order = moves.map(({ name }) => name);
    const { settings } = planOf(scenario, { script });
    const run = await withRunner(scenario, settings, (runner) => runner.run(new RankChooser(order, [], [])));
    expect(run.violation).toBe(null);
    expect(run.steps.slice(0, order.length).map(({ name }) => name)).toEqual(order);
    expect(histories.at(-1)?.sightings).toEqual(outside.history.sightings);
  }
});

test("fromOutside() says which input no host says, and why", () => {
  const { policy, reducer } = settingOf({});
  const said = (...inputs: Parameters<typeof fromOutside>[2]) => {
    const outside = fromOutside(reducer, policy, inputs);
    return "because" in outside ? outside.because : null;
  };
  const request = {
    type: "request",
    call: "c1",
    owner: "run",
    footprint: { kind: "workspace" },
    atMs: 0,
    needsApproval: false,
    aborted: false,
  } as const;
  expect(said(request, { type: "release", call: "c1", fence: 1 })).toBe(null);
  expect(said(request, { type: "release", call: "c1", fence: 2 })).toContain("input 2 (release c1 with fence 2)");
  expect(said(request, request)).toContain("an id that was used before");
  expect(said({ type: "approve", call: "c1", atMs: 0 })).toContain("an answer only where it has asked");
  expect(said(request, { type: "abort", call: "c1", atMs: 0 })).toContain("the host listens no longer");
  expect(said({ type: "abort", call: "c1", atMs: 0 })).toContain("nobody who is not there");
  expect(said(request, { type: "tick", atMs: 5 })).toContain("timer is not set");
});
