/** The driver of goal rounds on its agent as a model, judged by the two reducers that ship. */
import { stepGoal as shippedGoal } from "../../../../core/agent/goal.ts";
import type { AgentPolicy } from "../../../../core/agent/state.ts";
import { transition as shipped } from "../../../../core/agent/transition.ts";
import { type BudgetedModel, type Spending, withBudget } from "../../../../sim/model/budget.ts";
import type { Fairness } from "../../../../sim/model/liveness.ts";
import type { Goal, Model } from "../../../../sim/model/model.ts";
import { describeInput } from "../input-words.ts";
import type { Transition } from "../recalling.ts";
import { goalEnvironment } from "./inputs.ts";
import { goalBudgetOf, goalPriceOf } from "./prices.ts";
import { goalAlways, goalAtQuiescence, goalEveryStep } from "./rules.ts";
import { type GoalWorldEffect, type GoalWorldInput, runStep, type StepGoal } from "./run.ts";
import { goalWorldSchema } from "./schema.ts";
import { type GoalBounds, type GoalWorld, initialGoalWorld } from "./world.ts";

export type GoalModel = Model<GoalWorld & Spending, GoalWorldInput, GoalWorldEffect>;
export type BudgetedGoalModel = BudgetedModel<GoalWorld, GoalWorldInput, GoalWorldEffect>;

export type GoalModelOptions = {
  readonly policy: AgentPolicy;
  readonly bounds: GoalBounds;
  readonly transition?: Transition;
  readonly stepGoal?: StepGoal;
};

export function goalModel(options: GoalModelOptions): GoalModel {
  return withBudget(budgetedGoalModel(options));
}

/** The same for who keeps the books apart. */
export function budgetedGoalModel(options: GoalModelOptions): BudgetedGoalModel {
  const { policy, bounds, transition = shipped, stepGoal = shippedGoal } = options;
  const { parking, afterFailure, claim } = policy;
  const reducers = { policy, transition, stepGoal };
  return {
    name: `goal, parking ${parking}, afterFailure ${afterFailure}, claim ${claim}`,
    bounds,
    initial: initialGoalWorld(bounds),
    schema: goalWorldSchema(bounds),
    inputs: goalEnvironment(bounds),
    step: (world, input) => runStep(reducers, world, input),
    always: goalAlways(bounds),
    everyStep: goalEveryStep,
    atQuiescence: goalAtQuiescence,
    quiescent: isAtRest,
    goals,
    budget: goalBudgetOf(bounds),
    price: goalPriceOf,
    describe,
  };
}

function isAtRest({ agent, storage }: GoalWorld): boolean {
  return agent.phase.kind === "idle" && storage.length === 0;
}

export type GoalLiveness = {
  readonly model: GoalModel;
  /** The same for a sweep. */
  readonly budgeted: BudgetedGoalModel;
  readonly fairness: Fairness<GoalWorld, GoalWorldInput>;
};

/** The model, to be explored first, and what is to come to an end in it while storage and ports answer. */
export function goalLiveness(options: GoalModelOptions): GoalLiveness {
  const budgeted = budgetedGoalModel(options);
  return { model: withBudget(budgeted), budgeted, fairness };
}

const fairness: Fairness<GoalWorld, GoalWorldInput> = {
  obligations: [
    { name: "goal/never-hangs: a round comes to its end", pending: ({ goal }) => goal.reservation !== null },
    { name: "agent/idle-is-true: every whenIdle() settles", pending: (world) => !isAtRest(world) },
  ],
  duty({ type }) {
    switch (type) {
      case "lands":
      case "refused":
        return "storage answers";
      case "proposed":
      case "stepped":
        return "the ports answer";
      default:
        return null;
    }
  },
};

type WorldGoal = Goal<GoalWorld, GoalWorldInput, GoalWorldEffect>;

function moved(
  name: string,
  reached: (before: GoalWorld, after: GoalWorld, input: GoalWorldInput) => boolean,
): WorldGoal {
  return { name, reached: (before, input, after) => reached(before, after, input) };
}

const becomes = (mode: GoalWorld["goal"]["mode"], before: GoalWorld, after: GoalWorld) =>
  before.goal.mode === "armed" && after.goal.mode === mode;

const goals: readonly WorldGoal[] = [
  moved("a round is completed", (before, after) => after.goal.rounds > before.goal.rounds),
  moved("a second round is completed", (_before, after) => after.goal.rounds === 2),
  moved(
    "a human turn between two rounds",
    ({ goal, storage: [head], ownTurn }, after, { type }) =>
      type === "lands" &&
      head?.type === "turn/end" &&
      head.turn > ownTurn &&
      goal.rounds > 0 &&
      after.goal.mode === "armed",
  ),
  moved("a stop pauses a round", (before, after, { type }) => type === "cancel" && becomes("paused", before, after)),
  moved(
    "a retract pauses",
    (before, after, { type }) =>
      type === "lands" && before.storage[0]?.type === "inbox/removed" && becomes("paused", before, after),
  ),
  moved("a failed round disarms", (before, after, { type }) => type === "lands" && becomes("disarmed", before, after)),
  moved(
    "an armed goal waits for a human prompt",
    (_before, after) => isAtRest(after) && after.goal.mode === "armed" && after.goal.reservation === null,
  ),
  moved("armed again after a pause", (before, after) => before.goal.mode === "paused" && after.goal.mode === "armed"),
  moved("armed after dispose", ({ agent }, _after, { type }) => type === "arm" && agent.disposed),
  moved(
    "a reservation in a turn that is not its own",
    ({ agent }, after) => agent.phase.kind === "running" && after.goal.reservation !== null && after.goal.turn === null,
  ),
];

function describe(input: GoalWorldInput): string {
  switch (input.type) {
    case "arm":
    case "disarm":
      return `${input.type} the goal`;
    case "lands":
      return "the oldest record lands";
    case "refused":
      return "the oldest record is refused";
    default:
      return describeInput(input);
  }
}
