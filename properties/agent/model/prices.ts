/** What runs out in the agent's world, and what takes one of it. No rule of the model reads how much is left. */
import type { Bounds } from "./bounds.ts";
import { indexOf, type World, type WorldInput } from "./world.ts";

type Counter = "cancels" | "retracts" | "disposes" | "maintenances" | "writeFaults";

export function budgetOf({ cancels, retracts, disposes, maintenances, writeFaults }: Bounds): Record<Counter, number> {
  return { cancels, retracts, disposes, maintenances, writeFaults };
}

export function priceOf({ fates }: World, input: WorldInput): Counter | null {
  switch (input.type) {
    case "cancel":
      return "cancels";
    case "retract":
      // Of what is no longer pending it is refused.
      return fates[indexOf(input.id)]?.place === "pending" ? "retracts" : null;
    case "dispose":
      return "disposes";
    case "maintain":
      return "maintenances";
    case "write-failed":
      return "writeFaults";
    default:
      return null;
  }
}
