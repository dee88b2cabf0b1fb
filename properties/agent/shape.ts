import type { Shape } from "../kit/family.ts";
import { shapeWith } from "../kit/shape-with.ts";

/** What an agent must offer, and what it may: without the latter, the commands for it are left out. */
export function shapeOfAgent(made: unknown): Shape {
  return shapeWith(made, "agent", {
    needed: ["send", "cancel", "whenIdle"],
    optional: [
      { method: "retract", need: "retract" },
      { method: "dispose", need: "dispose" },
      { method: "runMaintenance", need: "maintenance" },
    ],
  });
}
