import type { Shape } from "../kit/family.ts";
import { shapeWith } from "../kit/shape-with.ts";

/** What a scheduler must offer, and what it may: without `close` no owner is closed. */
export function shapeOfScheduler(made: unknown): Shape {
  return shapeWith(made, "lease scheduler", {
    needed: ["acquire", "spawn", "finish"],
    optional: [{ method: "close", need: "close" }],
  });
}
