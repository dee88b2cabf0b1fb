/** From a way to make an agent to a scenario: its outside, a script of commands, and everything that must hold. */
import { createAgent } from "../../core/agent/host.ts";
import type { AgentPolicy } from "../../core/agent/state.ts";
import { type EventStep, type Scenario, ScenarioError, scenario, type World } from "../../sim/scenario.ts";
import type { Invariant } from "../invariant.ts";
import { always, atQuiescence } from "./contract.ts";
import { goalsFor } from "./goals.ts";
import { type History, Recording } from "./history.ts";
import { type Labels, makeOutside, type Outside, type OutsideOptions, plainLabels } from "./outside.ts";
import type { AgentPorts, AgentUnderTest } from "./ports.ts";
import { type RecordedAgent, recordAgent, recordPorts } from "./recorder.ts";
import { labelOf, lateWake, parseScript, type Script, type ScriptStep } from "./script.ts";
import { LooksThenLeaves } from "./subjects/looks-then-leaves.ts";
import { ParksLateWakes } from "./subjects/parks-late-wakes.ts";

export type AgentScenarioOptions = {
  readonly name: string;
  readonly make: (ports: AgentPorts) => AgentUnderTest;
  /** Runs where the exploration brings no script of its own. */
  readonly script?: Script;
  readonly labels?: Partial<Labels>;
  readonly policy?: Partial<AgentPolicy>;
} & Partial<Omit<OutsideOptions, "labels">>;

// Small on purpose: one piece of an answer and a teardown already contain the window that matters.
const defaults: Omit<OutsideOptions, "labels"> = {
  chunks: 1,
  plan: () => ({ tools: [], outcome: "completed" }),
  slow: [],
  mayFail: [],
};

export function agentScenario(options: AgentScenarioOptions): Scenario {
  const { name, make, script = lateWake, labels, policy, ...outsideOptions } = options;
  const outsideWith: OutsideOptions = { ...defaults, ...outsideOptions, labels: { ...plainLabels, ...labels } };
  return scenario(name, { script: { parse: parseScript } }, (world, json) => {
    const steps = json.length === 0 ? script : parseScript(json);
    const recording = new Recording(policy);
    const outside = makeOutside(world, outsideWith);
    const agent = recordAgent(recording, make(recordPorts(recording, outside)));
    world.events("user", userSteps(world, agent, outside, steps));
    for (const invariant of always) world.always(invariant.name, holds(invariant, recording));
    for (const invariant of atQuiescence) world.atQuiescence(invariant.name, holds(invariant, recording));
    for (const goal of goalsFor(steps)) world.sometimes(goal.name, () => goal.reached(recording));
  });
}

function holds(invariant: Invariant<History>, history: History): () => true | string {
  return () => invariant.violation(history) ?? true;
}

/** Each step a delivery; after an `await` the user's next steps wait until it has settled, as code after it would. */
function userSteps(world: World, agent: RecordedAgent, outside: Outside, script: Script): readonly EventStep[] {
  let waiting: Promise<unknown> | null = null;
  return script.map((step): EventStep => {
    const act = () => {
      if (step.type === "await") {
        const from: Promise<unknown> = waiting ?? Promise.resolve();
        waiting = world.settles(labelOf(step), waiting === null ? agent.whenIdle() : from.then(() => agent.whenIdle()));
        return undefined;
      }
      return waiting === null ? give(agent, outside, step) : waiting.then(() => give(agent, outside, step));
    };
    // Maintenance is refused while a turn runs, and says so by rejecting; the task rejects when it was stopped.
    return [labelOf(step), act, { mayReject: step.type === "maintain" }];
  });
}

function give(agent: RecordedAgent, outside: Outside, step: Exclude<ScriptStep, { readonly type: "await" }>): unknown {
  switch (step.type) {
    case "send": {
      const answer = agent.send(step.message);
      // Somebody who sends waits for the answer: whether that wait ends, and when, is checked by an invariant.
      void agent.whenIdle();
      return answer;
    }
    case "cancel":
      return agent.cancel(step.cause, { keepInbox: step.keepInbox });
    case "retract":
      return offered(agent.retract, step.type)(step.id);
    case "dispose":
      return offered(agent.dispose, step.type)();
    case "maintain":
      return offered(agent.maintain, step.type)(step.activity, (signal) => outside.maintenance(signal));
  }
}

function offered<Method>(method: Method | undefined, type: string): Method {
  if (method === undefined) {
    throw new ScenarioError(
      `Cannot run the step "${type}": the agent has no method for it; take the step out of the script`,
    );
  }
  return method;
}

export const parksLateWakes: Scenario = agentScenario({
  name: "microloom:agent/parks-late-wakes",
  make: (ports) => new ParksLateWakes(ports),
});

export const looksThenLeaves: Scenario = agentScenario({
  name: "microloom:agent/looks-then-leaves",
  make: (ports) => new LooksThenLeaves(ports),
});

export const coreAgent: Scenario = agentScenario({
  name: "microloom:agent/core",
  make: (ports) => createAgent(ports),
  // The core has to hold in the windows around its records, too: while a turn opens, and while it closes.
  slow: ["turn-records"],
});
