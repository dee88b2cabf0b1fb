/** The agent's contract as a model, for whoever proves it. */

export { agentMutants } from "../mutants/all.ts";
export { type Bounds, defaultBounds, smallBounds } from "./bounds.ts";
export { type GoalModelOptions, goalLiveness, goalModel } from "./goal/model.ts";
export { goalMutants } from "./goal/mutants.ts";
export { defaultGoalBounds, type GoalBounds } from "./goal/world.ts";
export { goalsBeyond } from "./goals.ts";
export { agentLiveness } from "./liveness.ts";
export { type AgentModelOptions, agentModel, budgetedAgentModel, policies } from "./model.ts";
export { scriptOf, type TraceScript } from "./script-of.ts";
