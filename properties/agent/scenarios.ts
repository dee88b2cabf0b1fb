/** From a way to make an agent to a scenario: its outside, a script of commands, and everything that must hold. */
import type { AgentPolicy } from "../../core/agent/state.ts";
import { type Scenario, scenario, type World } from "../../sim/scenario.ts";
import type { Goal, Invariant } from "../invariant.ts";
import { Answers } from "./answers.ts";
import { always, atQuiescence } from "./contract.ts";
import { promisingCore } from "./core-promises.ts";
import { goalsFor } from "./goals.ts";
import { contractPolicy, type History, Recording } from "./history.ts";
import { InsideCommands } from "./inside.ts";
import { type Labels, makeOutside, type OutsideOptions, plainLabels } from "./outside.ts";
import type { AgentPorts, AgentUnderTest } from "./ports.ts";
import { recordAgent, recordPorts } from "./recorder.ts";
import { isUserStep, lateWake, outsideOf, parseScript, type Script } from "./script.ts";
import { LooksThenLeaves } from "./subjects/looks-then-leaves.ts";
import { ParksLateWakes } from "./subjects/parks-late-wakes.ts";
import { userSteps } from "./user-steps.ts";

export type AgentScenarioOptions = {
  readonly name: string;
  /** Made anew in each execution. What this kind of agent promises beside, it has the world check. */
  readonly make: (ports: AgentPorts, world: World) => AgentUnderTest;
  /** Runs where the exploration brings no script of its own. */
  readonly script?: Script;
  readonly labels?: Partial<Labels>;
  readonly policy?: Partial<AgentPolicy>;
  /** What a campaign has to reach; by default what the script says. */
  readonly goals?: readonly Goal<History>[];
} & Partial<Omit<OutsideOptions, "labels">>;

// Small on purpose: one piece of an answer and a teardown already contain the window that matters.
const defaults: Omit<OutsideOptions, "labels"> = {
  chunks: 1,
  plan: () => ({ tools: [], outcome: "completed" }),
  slow: [],
  mayFail: [],
};

export function agentScenario(options: AgentScenarioOptions): Scenario {
  const { name, make, script = lateWake, labels, policy, goals, ...outsideOptions } = options;
  const outsideWith: OutsideOptions = { ...defaults, ...outsideOptions, labels: { ...plainLabels, ...labels } };
  return scenario(name, { script: { parse: parseScript } }, (world, json) => {
    const steps = json.length === 0 ? script : parseScript(json);
    const recording = new Recording(policy);
    const inside = new InsideCommands(recording);
    const behaviour = { ...outsideWith, ...outsideOf(steps) };
    const outside = makeOutside(world, behaviour, new Answers(steps));
    const agent = recordAgent(recording, make(recordPorts(recording, outside, inside), world));
    const given = { world, agent, outside, inside, hangs: behaviour.hangs === true };
    world.events("user", userSteps(given, steps.filter(isUserStep)));
    for (const invariant of always) world.always(invariant.name, holds(invariant, recording), invariant.why);
    for (const invariant of atQuiescence)
      world.atQuiescence(invariant.name, holds(invariant, recording), invariant.why);
    for (const goal of goals ?? goalsFor(steps)) world.sometimes(goal.name, () => goal.reached(recording));
  });
}

function holds(invariant: Invariant<History>, history: History): () => true | string {
  return () => invariant.violation(history) ?? true;
}

export const parksLateWakes: Scenario = agentScenario({
  name: "microloom:agent/parks-late-wakes",
  make: (ports) => new ParksLateWakes(ports),
});

export const looksThenLeaves: Scenario = agentScenario({
  name: "microloom:agent/looks-then-leaves",
  make: (ports) => new LooksThenLeaves(ports),
});

export const coreAgent: Scenario = coreAgentNamed("microloom:agent/core");

/** The core under every policy, each a scenario of its own; its default is the scenario above. */
const underPolicies: ReadonlyMap<string, Scenario> = new Map(
  (["unlatched", "all"] as const).flatMap((parking) =>
    (["park", "drain"] as const).flatMap((afterFailure) =>
      (["one", "all"] as const).map((claim) => {
        const policy: AgentPolicy = { parking, afterFailure, claim };
        const name = nameUnder(policy);
        return [name, name === coreAgent.name ? coreAgent : coreAgentNamed(name, policy)] as const;
      }),
    ),
  ),
);

export const coreAgents: readonly Scenario[] = [...underPolicies.values()];

export function coreAgentUnder(policy: AgentPolicy): Scenario {
  return underPolicies.get(nameUnder(policy)) ?? coreAgent;
}

/** Names what is not as the contract has it by default. */
function nameUnder({ parking, afterFailure, claim }: AgentPolicy): string {
  return [
    "microloom:agent/core",
    ...(parking === contractPolicy.parking ? [] : [`parking ${parking}`]),
    ...(afterFailure === contractPolicy.afterFailure ? [] : [`afterFailure ${afterFailure}`]),
    ...(claim === contractPolicy.claim ? [] : [`claim ${claim}`]),
  ].join(", ");
}

function coreAgentNamed(name: string, policy: Partial<AgentPolicy> = {}): Scenario {
  return agentScenario({
    name,
    make: (ports, world) => promisingCore(ports, policy, world),
    policy,
    // The core has to hold in the windows around its records, too: while a turn opens, and while it closes.
    slow: ["turn-records"],
  });
}
