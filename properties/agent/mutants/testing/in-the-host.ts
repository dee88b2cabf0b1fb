/** A mutant in the core's host under the simulator: what the invariants see that serve every agent, from outside. */
import { createAgent } from "../../../../core/agent/host.ts";
import type { AgentPolicy } from "../../../../core/agent/state.ts";
import { search } from "../../../../sim/search.ts";
import { contractPolicy } from "../../history.ts";
import type { StepPlan } from "../../outside.ts";
import { agentScenario } from "../../scenarios.ts";
import { cancel, type Script, type ScriptStep, send } from "../../script.ts";

const stop = cancel("stop", { keepInbox: true });
const clear = cancel("stop", { keepInbox: false });
const dispose: ScriptStep = { type: "dispose" };
const maintain: ScriptStep = { type: "maintain", activity: "compact" };
const retract = (id: string): ScriptStep => ({ type: "retract", id });
const entersNothing: ScriptStep = { type: "proposed", turn: 1, step: 1, decision: { kind: "enter", messages: [] } };

/** Every command in every window of the contract, somewhere; and an answer that lets nothing in. */
const scripts: readonly Script[] = [
  [send("a"), send("b"), send("c")],
  [send("a"), stop, send("b"), send("c", "steer")],
  [send("a"), send("b"), stop, send("c"), stop, send("d")],
  [send("a"), send("b", "steer"), clear, send("c", "inject"), send("d")],
  [send("a", "steer"), clear, send("b")],
  [send("a", "inject"), stop, send("b"), send("c", "inject"), send("d", "queue")],
  [send("a"), send("b", "inject"), send("c", "steer")],
  [send("a"), retract("a"), send("b"), retract("b"), send("c")],
  [maintain, send("a"), retract("a"), send("b")],
  [maintain, send("a"), stop, send("b"), stop],
  [send("a"), maintain, dispose, send("b"), { ...maintain, activity: "again" }],
  [send("a"), entersNothing, send("b", "inject"), send("c", "steer")],
];

/** Turns of one step, turns whose first step calls a tool, and a first turn that fails. */
const plans: readonly ((turn: number, step: number) => StepPlan)[] = [
  () => ({ tools: [], outcome: "completed" }),
  (_turn, step) => (step === 1 ? { tools: ["read"], outcome: "continue" } : { tools: [], outcome: "completed" }),
  (turn) => ({ tools: [], outcome: turn === 1 ? "failed" : "completed" }),
];

const executions = 25;

/** The first invariant that is broken in some order of some script; null where nothing is seen. */
export async function firstSeen(rules: Partial<AgentPolicy> = {}): Promise<string | null> {
  const policy = { ...contractPolicy, ...rules };
  for (const script of scripts) {
    for (const plan of plans) {
      const scenario = agentScenario({
        name: "a mutant",
        make: (ports) => createAgent(ports, policy),
        script,
        policy,
        plan,
        slow: ["turn-records", "proposals"],
        mayFail: ["turn-records", "proposals", "steps"],
      });
      const result = await search(scenario, { strategy: "random", executions });
      if (result.outcome === "violated") return result.violation.name;
      if (result.outcome !== "held") return result.outcome;
    }
  }
  return null;
}
