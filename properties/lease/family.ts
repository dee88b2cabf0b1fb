/** The lease contract as the kit needs it: promises, goals, scripts, and the scenario in which a scheduler is judged. */
import { type Scenario, ScenarioError, scenario, type World } from "../../sim/scenario.ts";
import { describeValue } from "../../sim/words.ts";
import { enter } from "../kit/enter.ts";
import type { Draw, Family, Judging, Script as KitScript, Need, Shape } from "../kit/family.ts";
import type { Fixture } from "../kit/fixture.ts";
import { Application } from "./application.ts";
import type { Complaints } from "./complaints.ts";
import { leaseInvariants } from "./contract.ts";
import { flowsOf } from "./flows.ts";
import { leaseGoals } from "./goals.ts";
import { describeSighting } from "./history.ts";
import { keptLeaseScripts, sweptLeaseScripts } from "./kept-scripts.ts";
import { needsOf } from "./needs.ts";
import type { LeasePorts, LeaseSchedulerUnderTest } from "./ports.ts";
import { type LeaseScript, parseLeaseScript } from "./script.ts";
import type { LeaseWord } from "./scripts.ts";
import { shapeOfScheduler } from "./shape.ts";
import { playFlows } from "./situation.ts";
import { tamed } from "./tamed.ts";
import { TimedRecording } from "./timed-recording.ts";

/** Names of the promises that can be seen from outside, in the order of the reports. */
export const leasePromises: readonly string[] = leaseInvariants.map(({ invariant }) => invariant.name);

/** Steps of a drawn script at most. */
const stepsMost = 10;

export function leaseFamily(fixture: Fixture<LeasePorts>, name = "lease scheduler under test"): Family {
  return {
    invariants: leaseInvariants.map(({ invariant, needs }) => ({ name: invariant.name, needs })),
    goals: leaseGoals.map(({ goal, needs }) => ({ name: goal.name, needs })),
    scripts: scriptsOf,
    sweptIn: (script) => sweptDeliveries.get(script) ?? null,
    shapeOf: (script) => parseLeaseScript(script).map(typeOf).join(", "),
    scenario: (judging) => leaseScenarioOf(fixture, name, judging),
  };
}

const sweptDeliveries: ReadonlyMap<KitScript, string> = sweptLeaseScripts;

/** The kept scripts, then what a sweep of stops gives, then as many drawn ones as are still wanted. */
async function scriptsOf({ seed, count, without }: Draw): Promise<readonly KitScript[]> {
  const words = wordsOf(without);
  const fits = (script: LeaseScript) => !needsOf(script).some((need) => words.includes(need));
  const fixed = [...keptLeaseScripts.values(), ...sweptLeaseScripts.keys()].filter(fits).slice(0, count);
  // Loaded here, because what draws takes longer to load than all the rest.
  const { drawLeaseScripts, sideBySide } = await import("./scripts.ts");
  const drawn = drawLeaseScripts({ seed, count: count - fixed.length, most: stepsMost, without: words });
  return [...fixed, ...drawn.map((script, at) => (at % 2 === 0 ? script : sideBySide(script)))];
}

function wordsOf(without: readonly Need[]): readonly LeaseWord[] {
  const words: readonly LeaseWord[] = ["approvals", "children", "close"];
  return words.filter((word) => without.includes(word));
}

function typeOf(step: LeaseScript[number]): string {
  return step.type === "together" ? `together (${step.steps.map(({ type }) => type).join(", ")})` : step.type;
}

function leaseScenarioOf(
  fixture: Fixture<LeasePorts>,
  name: string,
  { without, muted, noted = false, onShape }: Judging,
): Scenario {
  const options = { script: { parse: parseLeaseScript }, ...fixture.scenarioOptions };
  return scenario(name, options, (world, json, isolated) => {
    const steps = parseLeaseScript(json);
    const { policy, flows } = flowsOf(steps);
    const recording = new TimedRecording(world, policy);
    if (noted) recording.onSeen = (seen) => world.note(describeSighting(seen));
    const application = new Application(recording, { nowMs: () => world.nowMs, pass: () => undefined });
    const ports = { approve: (call: unknown) => approve(application, call) };
    // Whoever replays need not repeat what was left out: the script of a repro has no use for it.
    const leftOut = noted && !needsOf(steps).includes("children") ? [...without, "children" as const] : without;
    const made = enter(world, fixture, ports, isolated, (subject) => {
      const shape = shapeOfScheduler(subject, leftOut);
      onShape?.(shape);
      return shape;
    });
    if (made === null || !isScheduler(made.subject, leftOut)) return;
    refuseLacking(steps, shapeOfScheduler(made.subject, leftOut));
    const { complaints } = application;
    application.use(tamed(made.subject, complaints));
    playFlows({ world, application, recording }, flows);
    declareProblems(world, complaints, muted);
    for (const { invariant, when, needs } of leaseInvariants) {
      if (muted.has(invariant.name) || needs.some((need) => without.includes(need))) continue;
      const holds = () => invariant.violation(recording) ?? true;
      if (when === "always") world.always(invariant.name, holds, invariant.why);
      else world.atQuiescence(invariant.name, holds, invariant.why);
    }
    for (const { goal } of leaseGoals) world.sometimes(goal.name, () => goal.reached(recording));
  });
}

/** A stranger may ask about anything. */
function approve(application: Application, call: unknown): Promise<boolean> {
  if (typeof call === "string") return application.approve(call);
  application.complaints.badShapes.push(
    `expected approve() to be called with the id of a call, found ${describeValue(call)}`,
  );
  return Promise.resolve(false);
}

/** A script that asks for what the scheduler has not is a mistake of whoever wrote the script. */
function refuseLacking(script: LeaseScript, { absent }: Shape): void {
  const needs: readonly string[] = needsOf(script);
  const lacking = absent.find(({ need }) => needs.includes(need));
  if (lacking === undefined) return;
  throw new ScenarioError(
    `Cannot run the script: it needs ${lacking.method}(), and the lease scheduler has no method of that name; take the step out of the script`,
  );
}

/** Before the promises, which are about a scheduler that answers at all. */
function declareProblems(world: World, { badShapes, threw, open }: Complaints, muted: ReadonlySet<string>): void {
  if (!muted.has("kit/bad-shape")) world.always("kit/bad-shape", () => badShapes[0] ?? true);
  if (!muted.has("kit/threw")) world.always("kit/threw", () => threw[0] ?? true);
  if (muted.has("kit/unsettled")) return;
  world.atQuiescence("kit/unsettled", () => {
    const [left] = open;
    return left === undefined || `${left} has not settled, and nothing is left to happen`;
  });
}

/** Told by its shape; what the methods do is what is judged. */
function isScheduler(subject: unknown, without: readonly Need[]): subject is LeaseSchedulerUnderTest {
  return shapeOfScheduler(subject, without).wrong.length === 0;
}
