import { check } from "../shape.ts";
import { commands } from "./commands.ts";
import { inputShape, policyShape } from "./input.ts";
import { reports } from "./reports.ts";
import type { Effects, InputOf, Rules } from "./rule.ts";
import type { AgentInput, AgentPolicy, AgentState, AgentStep } from "./state.ts";

/**
 * The table of the agent: every input, and which rule takes it. Commands always have a rule (`commands.ts`); a report
 * has one only while it matches the live activity (`reports.ts`). What drivers do stands in `driver.ts`.
 */
const rules: Rules<AgentInput["type"]> = { ...commands, ...reports };

export const initialState: AgentState = {
  phase: { kind: "idle" },
  nextTurn: [],
  nextStep: [],
  lastTurn: 0,
  unwritten: null,
  disposed: false,
};

export const defaultPolicy: AgentPolicy = { parking: "unlatched", afterFailure: "park", claim: "one" };

/** Moves the agent by one input. The host performs the returned effects, in order. Throws `InputError` for a wrong shape. */
export function transition(policy: AgentPolicy, state: AgentState, input: AgentInput): AgentStep;
export function transition<Type extends AgentInput["type"]>(
  policy: AgentPolicy,
  state: AgentState,
  input: InputOf<Type>,
): AgentStep {
  check("policy", policy, policyShape);
  // Stops what is plainly no state; one that came from here or from `restore` needs no closer look.
  check("state", state, { phase: {} });
  check("input", input, inputShape);
  const effects: Effects = [];
  const next = rules[input.type](state, effects, input, policy);
  if (typeof next === "object") return { state: next, effects };
  // What is turned away changes nothing: an old turn's late clean-up can never touch its successor.
  return { state, effects: [next ? { type: "refused", input, reason: next } : { type: "stale", input }] };
}
