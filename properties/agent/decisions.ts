/**
 * What the outside decides where a script leaves it open: choices of data, explored like orderings. The plain one comes
 * first, so that a failure shrinks towards it.
 */
import type { Decision, Message } from "../../core/agent/state.ts";
import type { World } from "../../sim/scenario.ts";
import type { StepPlan } from "./outside.ts";

const tools = ["read", "write"];

const endings: readonly StepPlan[] = [
  { tools: [], outcome: "completed" },
  { tools: [], outcome: "max-tokens" },
  { tools: [], outcome: "failed" },
  { tools: [], outcome: "completed", lingers: true },
];
const plans: readonly StepPlan[] = [
  ...endings.slice(0, 1),
  { tools, outcome: "continue" },
  { tools, outcome: "continue", oneByOne: true },
  ...endings.slice(1),
];

/** Only the first two steps of a turn call tools, so every turn ends. */
export function decidePlan(world: World, { step }: { readonly step: number }): StepPlan {
  return world.choose("model's step", step <= 2 ? plans : endings);
}

/** `throw`: the hook itself fails. */
export function decideProposal(world: World, messages: readonly Message[]): Decision | "throw" {
  const enter = (entering: readonly Message[]): Decision => ({ kind: "enter", messages: entering });
  return world.choose<Decision | "throw">("proposal", [
    enter(messages),
    // The first is left out, so that what enters has overtaken what was accepted before it.
    ...(messages.length > 1 ? [enter(messages.slice(1))] : []),
    ...(messages.length > 0 ? [enter([])] : []),
    { kind: "reject" },
    "throw",
  ]);
}
