/** What runs out in the world of a goal, and what takes one of it. No rule of the model reads how much is left. */
import type { GoalWorldInput } from "./run.ts";
import type { GoalBounds, GoalWorld } from "./world.ts";

type Counter = "cancels" | "retracts" | "disposes" | "writeFaults" | "disarms";

export function goalBudgetOf(bounds: GoalBounds): Record<Counter, number> {
  const { cancels, retracts, disposes, writeFaults, disarms } = bounds;
  return { cancels, retracts, disposes, writeFaults, disarms };
}

export function goalPriceOf(_world: GoalWorld, { type }: GoalWorldInput): Counter | null {
  switch (type) {
    case "cancel":
      return "cancels";
    case "retract":
      return "retracts";
    case "dispose":
      return "disposes";
    case "refused":
      return "writeFaults";
    case "disarm":
      return "disarms";
    default:
      return null;
  }
}
