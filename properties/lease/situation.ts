/**
 * From a way to make a lease scheduler to a scenario: several flows of commands side by side, time that the scheduler's
 * own timers move, and everything that must hold. A script of an exploration takes the place of the flows.
 */
import { defaultPolicy, type LeasePolicy } from "../../core/lease/state.ts";
import { type Scenario, scenario, type World } from "../../sim/scenario.ts";
import type { Invariant } from "../invariant.ts";
import { Application, type Subject } from "./application.ts";
import { always, atQuiescence } from "./contract.ts";
import { type Flows, flowsOf, type Situation } from "./flows.ts";
import type { LeaseHistory } from "./history.ts";
import type { LeasePorts } from "./ports.ts";
import { labelOf, parseLeaseScript } from "./script.ts";
import { TimedRecording } from "./timed-recording.ts";

export type LeaseSituationOptions = {
  readonly name: string;
  readonly make: (ports: LeasePorts, policy: LeasePolicy) => Subject;
  readonly situation: Situation;
  /** Is given the history of each execution, before anything is in it. */
  readonly onHistory?: (history: LeaseHistory) => void;
};

export function leaseSituation({ name, make, situation, onHistory }: LeaseSituationOptions): Scenario {
  return scenario(name, { script: { parse: parseLeaseScript } }, (world, json) => {
    const { policy = {}, flows } = json.length === 0 ? situation : flowsOf(parseLeaseScript(json));
    const recording = new TimedRecording(world, policy);
    onHistory?.(recording);
    const application = new Application(recording, { nowMs: () => world.nowMs, pass: () => undefined });
    const ports = { approve: (call: string) => application.approve(call) };
    application.use(make(ports, { ...defaultPolicy, ...policy }));
    playFlows({ world, application, recording }, flows);
    world.always("the answers have the right shape", () => application.complaint ?? true);
    for (const invariant of always) world.always(invariant.name, holds(invariant, recording), invariant.why);
    for (const invariant of atQuiescence)
      world.atQuiescence(invariant.name, holds(invariant, recording), invariant.why);
  });
}

export type Playing = {
  readonly world: World;
  readonly application: Application;
  readonly recording: TimedRecording;
};

/** Every flow begins at once; each of its further steps comes when the scheduler of the world says. */
export function playFlows(playing: Playing, flows: Flows): void {
  const { world, application, recording } = playing;
  for (const [flow, steps] of Object.entries(flows)) {
    // Not returned: who is left waiting at the end is a matter of the invariants.
    world.actor(flow, () => void follow(playing, flow, steps));
  }
  world.always("what can be seen is written down", () => {
    recording.look();
    application.look();
    return true;
  });
}

async function follow({ world, application, recording }: Playing, flow: string, steps: Flows[string] = []) {
  for (const [at, step] of steps.entries()) {
    if (step.type === "wait") await recording.pass(step.ms);
    else if (step.type === "await") await application.give(step);
    else {
      if (at > 0) await world.delay(`${flow}:${step.type === "together" ? step.label : labelOf(step)}`);
      if (recording.isTied) await recording.pass(1);
      for (const one of step.type === "together" ? step.steps : [step]) application.give(one);
    }
  }
}

function holds(invariant: Invariant<LeaseHistory>, history: LeaseHistory): () => true | string {
  return () => invariant.violation(history) ?? true;
}
