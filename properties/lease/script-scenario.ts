/** From a way to make a lease scheduler to a scenario: a script of commands, time moved by hand, and everything that must hold. */
import { createLeaseScheduler } from "../../core/lease/host.ts";
import type { LeaseClock } from "../../core/lease/ports.ts";
import type { LeasePolicy } from "../../core/lease/state.ts";
import { type EventStep, type Scenario, ScenarioError, scenario, type World } from "../../sim/scenario.ts";
import type { Invariant } from "../invariant.ts";
import { Application, type Subject } from "./application.ts";
import { always, atQuiescence } from "./contract.ts";
import { HandClock } from "./hand-clock.ts";
import { type LeaseHistory, LeaseRecording } from "./history.ts";
import type { LeasePorts } from "./ports.ts";
import { type LeaseScript, type LeaseScriptStep, labelOf, parseLeaseScript } from "./script.ts";

export type LeaseScriptScenarioOptions = {
  readonly name: string;
  readonly make: (ports: LeasePorts & { readonly clock: LeaseClock }, policy: Partial<LeasePolicy>) => Subject;
  /** Runs where the exploration brings no script of its own. */
  readonly script?: LeaseScript;
  /** Is given the history of each execution, before anything is in it. */
  readonly onHistory?: (history: LeaseHistory) => void;
};

/** Two calls on one file: the second waits, and a child is refused as long as either is there. */
export const twoOnOneFile: LeaseScript = [
  request("edit", { kind: "file", path: "src/a.ts" }),
  request("command", { kind: "workspace" }),
  { type: "spawn", child: "child", owner: "run", paths: ["src"] },
  { type: "release", call: "edit" },
  { type: "close", owner: "run" },
];

/** The last step of every script: whoever waits for time to pass has its way. */
export const lastLabel = "let time pass";

export function leaseScriptScenario(options: LeaseScriptScenarioOptions): Scenario {
  const { name, make, script = twoOnOneFile, onHistory } = options;
  return scenario(name, { script: { parse: parseLeaseScript } }, (world, json) => {
    const { policy, steps } = partsOf(json.length === 0 ? script : parseLeaseScript(json));
    const recording = new LeaseRecording(policy);
    onHistory?.(recording);
    const clock = new HandClock(world, (atMs) => recording.saw({ seen: "woken", atMs }));
    const application = new Application(recording, clock);
    application.use(make({ approve: (call) => application.approve(call), clock }, policy));
    world.events("user", [...userSteps(world, application, steps), [lastLabel, () => clock.run()]]);
    world.always("what can be seen is written down", () => {
      application.look();
      return true;
    });
    world.always("the answers have the right shape", () => application.complaint ?? true);
    for (const invariant of always) world.always(invariant.name, holds(invariant, recording), invariant.why);
    for (const invariant of atQuiescence)
      world.atQuiescence(invariant.name, holds(invariant, recording), invariant.why);
  });
}

/** Of a script that is one user's. Throws ScenarioError. */
export function partsOf(script: LeaseScript): {
  readonly policy: Partial<LeasePolicy>;
  readonly steps: readonly LeaseScriptStep[];
} {
  const steps: LeaseScriptStep[] = [];
  const policy: Record<string, unknown> = {};
  for (const step of script) {
    if (step.type === "flow" || step.type === "together") {
      throw new ScenarioError(
        `Cannot run the script: expected the steps of one user, one by one, found "${step.type}"`,
      );
    }
    if (step.type !== "policy") steps.push(step);
    else for (const [name, value] of Object.entries(step)) if (name !== "type") policy[name] = value;
  }
  return { policy, steps };
}

/** Each step a delivery; after an `await` the next steps wait until it has settled, as code after it would. */
function userSteps(world: World, application: Application, steps: readonly LeaseScriptStep[]): readonly EventStep[] {
  let waiting: Promise<unknown> | null = null;
  return steps.map((step): EventStep => {
    const label = labelOf(step);
    const act = () => {
      if (waiting !== null) waiting = waiting.then(() => application.give(step));
      else if (step.type === "await") waiting = Promise.resolve(application.give(step));
      else application.give(step);
      if (step.type === "await" && waiting !== null) void world.settles(label, waiting);
    };
    return [label, act];
  });
}

function holds(invariant: Invariant<LeaseHistory>, history: LeaseHistory): () => true | string {
  return () => invariant.violation(history) ?? true;
}

function request(call: string, footprint: Extract<LeaseScriptStep, { type: "request" }>["footprint"]): LeaseScriptStep {
  return { type: "request", call, owner: "run", footprint, needsApproval: false, aborted: false };
}

/** The host of the core. Where a model has found a counterexample, it is a script for this scenario. */
export const coreLeaseScript: Scenario = leaseScriptScenario({
  name: "microloom:lease/script",
  make: (ports, policy) => createLeaseScheduler(ports, policy),
});
