import type { Need, Shape } from "../kit/family.ts";
import { shapeWith } from "../kit/shape-with.ts";

const close = { method: "close", need: "close" } as const;
const ofChildren: Shape["absent"] = [
  { method: "spawn", need: "children" },
  { method: "finish", need: "children" },
];

/**
 * What a scheduler must offer, and what it may: without `close` no owner is closed, and where children are left out nobody
 * asks for what has to do with them.
 */
export function shapeOfScheduler(made: unknown, without: readonly Need[]): Shape {
  if (without.includes("children")) return shapeOfLock(made);
  const shape = shapeWith(made, "lease scheduler", { needed: ["acquire", "spawn", "finish"], optional: [close] });
  if (shape.wrong.length === 0 || shapeOfLock(made).wrong.length > 0) return shape;
  return { ...shape, wrong: [...shape.wrong, 'leave out "children" (without) where it has none, as a lock has none'] };
}

function shapeOfLock(made: unknown): Shape {
  return shapeWith(made, "lease scheduler", { needed: ["acquire"], optional: [close, ...ofChildren] });
}
