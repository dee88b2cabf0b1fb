/** The contract of the agent as a model, judged by the reducer that ships. */
import type { AgentEffect, AgentPolicy } from "../../../core/agent/state.ts";
import { transition as shipped } from "../../../core/agent/transition.ts";
import { type BudgetedModel, type Spending, withBudget } from "../../../sim/model/budget.ts";
import type { Model } from "../../../sim/model/model.ts";
import type { Bounds } from "./bounds.ts";
import { crashed } from "./crash.ts";
import { goalsWithin } from "./goals.ts";
import { describeInput } from "./input-words.ts";
import { environment } from "./inputs.ts";
import { always, atQuiescence, everyStep } from "./invariants.ts";
import { remembered } from "./past.ts";
import { budgetOf, priceOf } from "./prices.ts";
import { recalling, type Transition } from "./recalling.ts";
import { worldSchema } from "./schema.ts";
import { countedAnew } from "./turns.ts";
import { initialWorld, type World, type WorldInput } from "./world.ts";

export type AgentModel = Model<World & Spending, WorldInput, AgentEffect>;
export type BudgetedAgentModel = BudgetedModel<World, WorldInput, AgentEffect>;
export type AgentModelOptions = {
  readonly policy: AgentPolicy;
  readonly bounds: Bounds;
  readonly transition?: Transition;
};

export function agentModel(options: AgentModelOptions): AgentModel {
  return withBudget(budgetedAgentModel(options));
}

/** The same for who keeps the books apart. */
export function budgetedAgentModel({ policy, bounds, transition = shipped }: AgentModelOptions): BudgetedAgentModel {
  const { parking, afterFailure, claim } = policy;
  const decide = recalling(transition, policy, bounds);
  return {
    name: `agent, parking ${parking}, afterFailure ${afterFailure}, claim ${claim}`,
    bounds,
    initial: initialWorld(bounds),
    schema: worldSchema(bounds),
    inputs: environment(bounds),
    step(world, input) {
      if (input.type === "crash") return { state: countedAnew(crashed(world, input.landed)), effects: [] };
      const { state, effects } = decide(world.agent, input.type === "late" ? input.report : input);
      return { state: countedAnew(remembered(policy, world, input, state, effects)), effects };
    },
    always,
    everyStep: everyStep(policy),
    atQuiescence,
    // Nobody is owed anything by the host: every whenIdle() has settled.
    quiescent: ({ past }) => past.request.kind === "none",
    goals: goalsWithin(bounds),
    budget: budgetOf(bounds),
    price: priceOf,
    describe: describeInput,
  };
}

export const policies: readonly AgentPolicy[] = (["unlatched", "all"] as const).flatMap((parking) =>
  (["park", "drain"] as const).flatMap((afterFailure) =>
    (["one", "all"] as const).map((claim) => ({ parking, afterFailure, claim })),
  ),
);
