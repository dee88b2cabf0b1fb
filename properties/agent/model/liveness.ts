/** What comes to an end if the host goes on answering. Users owe nothing: they may stop or go on at any time. */
import type { AgentPolicy } from "../../../core/agent/state.ts";
import { withBudget } from "../../../sim/model/budget.ts";
import type { Fairness } from "../../../sim/model/liveness.ts";
import type { Bounds } from "./bounds.ts";
import { type AgentModel, type BudgetedAgentModel, budgetedAgentModel } from "./model.ts";
import type { Transition } from "./recalling.ts";
import { isAnswer, type World, type WorldInput } from "./world.ts";

export type AgentLiveness = {
  readonly model: AgentModel;
  /** The same for a sweep. */
  readonly budgeted: BudgetedAgentModel;
  readonly fairness: Fairness<World, WorldInput>;
};

/** The model, to be explored first, and the obligations to be judged on what was explored. */
export function agentLiveness(options: {
  readonly policy: AgentPolicy;
  readonly bounds: Bounds;
  readonly transition?: Transition;
}): AgentLiveness {
  const budgeted = budgetedAgentModel(options);
  return { model: withBudget(budgeted), budgeted, fairness };
}

const fairness: Fairness<World, WorldInput> = {
  obligations: [
    { name: "agent/idle-is-true: every whenIdle() settles", pending: ({ past }) => past.request.kind !== "none" },
    {
      name: "agent/no-dropped-wake: every wake is served, or parked by something after it",
      pending: ({ fates }) => fates.some(({ owed }) => owed !== "no"),
    },
    { name: "agent/dispose-fence: disposed is reached", pending: ({ past }) => past.disposal === "asked" },
  ],
  duty: (input) => (isAnswer(input) ? "the host answers" : null),
};
