/** The agent's contract as the kit needs it: promises, goals, scripts, and the scenario in which an agent is judged. */
import { type Scenario, ScenarioError, scenario, type World } from "../../sim/scenario.ts";
import type { Goal, Invariant } from "../invariant.ts";
import type { CheckPlan } from "../kit/check-options.ts";
import { enter } from "../kit/enter.ts";
import type { Draw, Family, Judging, Script as KitScript, Shape } from "../kit/family.ts";
import type { Fixture } from "../kit/fixture.ts";
import { Answers } from "./answers.ts";
import { agentInvariants } from "./contract.ts";
import { agentGoals } from "./goals.ts";
import { guarded } from "./guarded.ts";
import { describeObservation, type History, Recording } from "./history.ts";
import { InsideCommands } from "./inside.ts";
import { keptScripts, sweptScripts } from "./kept-scripts.ts";
import { needsOf } from "./needs.ts";
import { makeOutside, type OutsideOptions, plainLabels } from "./outside.ts";
import type { AgentPorts, AgentUnderTest } from "./ports.ts";
import { afterDispose, threw, unsettled } from "./problems.ts";
import { recordAgent, recordPorts } from "./recorder.ts";
import { isUserStep, outsideOf, parseScript, type Script } from "./script.ts";
import { shapeOfAgent } from "./shape.ts";
import { tamed } from "./tamed.ts";
import { userSteps } from "./user-steps.ts";

/** Names of the promises that can be seen from outside, in the order of the reports. */
export const agentPromises: readonly string[] = [...new Set(agentInvariants.map(({ invariant }) => invariant.name))];

/** How the outside behaves where a script does not say it. */
const outsideWith: OutsideOptions = {
  labels: plainLabels,
  chunks: 1,
  plan: () => ({ tools: [], outcome: "completed" }),
  slow: [],
  mayFail: [],
};

export function agentFamily(
  fixture: Fixture<AgentPorts>,
  { policy }: Pick<CheckPlan, "policy">,
  name = "agent under test",
): Family {
  return {
    invariants: agentInvariants.map(({ invariant, needs }) => ({ name: invariant.name, needs })),
    goals: agentGoals.map(({ goal, needs, asks }) => ({
      ...{ name: goal.name, needs },
      ...(asks !== undefined && { onlyAfter: proposes }),
    })),
    scripts: agentScripts,
    sweptIn: (script) => sweptDeliveries.get(script) ?? null,
    shapeOf,
    scenario: (judging) => agentScenarioOf(fixture, policy, name, judging),
  };
}

/** Not a goal of its own: an agent may leave the port uncalled. */
const proposes = "kit/proposes";

const sweptDeliveries: ReadonlyMap<KitScript, string> = sweptScripts;

/** The kept scripts, then what a sweep of stops gives, then as many drawn ones as are still wanted. */
export async function agentScripts({ seed, count, without }: Draw): Promise<readonly KitScript[]> {
  const fits = (script: KitScript) => !needsOf(parseScript(script)).some((need) => without.includes(need));
  const fixed = [...keptScripts.values(), ...sweptScripts.keys()].filter(fits).slice(0, count);
  // Loaded here, because what draws takes longer to load than all the rest.
  const { drawScripts } = await import("./scripts.ts");
  const drawn = drawScripts({ seed, count: count - fixed.length, without });
  const known = new Set(fixed.map((script) => JSON.stringify(script)));
  return [...fixed, ...drawn.filter((script) => !known.has(JSON.stringify(script)))];
}

/** `send, stop, send`: the commands by type, and how the outside behaves by whether it is said at all. */
function shapeOf(script: KitScript): string {
  return parseScript(script)
    .map((step) => (step.type === "inside" ? `${step.type} ${step.at} ${step.do.type}` : step.type))
    .join(", ");
}

function agentScenarioOf(
  fixture: Fixture<AgentPorts>,
  policy: CheckPlan["policy"],
  name: string,
  { without, muted, noted = false, onShape }: Judging,
): Scenario {
  const options = { script: { parse: parseScript }, ...fixture.scenarioOptions };
  return scenario(name, options, (world, json, isolated) => {
    const steps = parseScript(json);
    const recording = new Recording(policy);
    if (noted) recording.onSeen = (seen) => world.note(describeObservation(seen));
    const inside = new InsideCommands(recording);
    const behaviour = { ...outsideWith, ...outsideOf(steps) };
    const outside = makeOutside(world, behaviour, new Answers(steps));
    const complaints: string[] = [];
    const complain = (what: string) => complaints.push(what);
    const ports = guarded(recordPorts(recording, outside, inside), complain);
    const made = enter(world, fixture, ports, isolated, (subject) => {
      const shape = shapeOfAgent(subject);
      onShape?.(shape);
      return shape;
    });
    if (made === null || !isAgent(made.subject)) return;
    refuseLacking(steps, shapeOfAgent(made.subject));
    const agent = recordAgent(recording, tamed(made.subject, complain));
    const hangs = behaviour.hangs === true;
    const given = { world, agent, outside, inside, hangs, mayRefuse: true };
    world.events("user", userSteps(given, steps.filter(isUserStep)));
    // Before the promises, which are about an agent that speaks as the ports do.
    if (!muted.has("kit/bad-shape")) world.always("kit/bad-shape", () => complaints[0] ?? true);
    const judged = agentInvariants.filter(
      ({ invariant, needs }) => !muted.has(invariant.name) && !needs.some((need) => without.includes(need)),
    );
    for (const { invariant, when } of judged) declare(world, invariant, when, recording);
    for (const problem of [threw, afterDispose])
      if (!muted.has(problem.name)) declare(world, problem, "always", recording);
    if (!muted.has(unsettled.name)) declare(world, unsettled, "quiescence", recording);
    for (const { goal } of agentGoals) declareGoal(world, goal, recording);
    world.sometimes(proposes, () => recording.observations.some(({ type }) => type === "propose"));
  });
}

/** A script that asks for what the agent has not is a mistake of whoever wrote the script. */
function refuseLacking(script: Script, { absent }: Shape): void {
  const needs: readonly string[] = needsOf(script);
  const lacking = absent.find(({ need }) => needs.includes(need));
  if (lacking === undefined) return;
  throw new ScenarioError(
    `Cannot run the script: it needs ${lacking.method}(), and the agent has no method of that name; take the step out of the script`,
  );
}

function declare(
  world: World,
  { name, why, violation }: Invariant<History>,
  when: "always" | "quiescence",
  history: History,
): void {
  const holds = () => violation(history) ?? true;
  if (when === "always") world.always(name, holds, why);
  else world.atQuiescence(name, holds, why);
}

function declareGoal(world: World, goal: Goal<History>, history: History): void {
  world.sometimes(goal.name, () => goal.reached(history));
}

/** Told by its shape; what the methods do is what is judged. */
function isAgent(subject: unknown): subject is AgentUnderTest {
  return shapeOfAgent(subject).wrong.length === 0;
}
