/** Holds a reduced search against every order of one program. */
import { byStrategy } from "./by-strategy.ts";
import { byClass } from "./classes.ts";
import { subjectOf } from "./code.ts";
import { cutsOff, differences } from "./compare.ts";
import { everyOrder } from "./every-order.ts";
import { holesIn } from "./holes.ts";
import type { Program } from "./program.ts";

export type Checked = {
  readonly orders: number;
  readonly classes: number;
  readonly executions: number;
  readonly blocked: number;
  readonly of: "classes" | "orders" | "nothing";
  /** Some executions end with what they break. */
  readonly cutOff: boolean;
  readonly violations: readonly string[];
  /** What is wrong with the dependence itself. */
  readonly holes: readonly string[];
  /** What is wrong with the search. */
  readonly differences: readonly string[];
};

/** Runs the program in every order, and by classes. Null when it has more than `most` orders. */
export async function checked(program: Program, most = 3_000): Promise<Checked | null> {
  const all = await everyOrder(subjectOf(program), most);
  if (all === null) return null;
  const classes = byClass(all);
  // Blocked runs come on top, but nobody should need more executions than there are orders.
  const visited = await byStrategy("dpor", subjectOf(program), all.length);
  const exhausted = visited?.exhausted ?? null;
  const violations = all.flatMap(({ execution: { violation } }) => (violation === null ? [] : [violation.kind]));
  return {
    orders: all.length,
    classes: classes.size,
    executions: visited?.executions.length ?? all.length,
    blocked: exhausted?.blocked ?? 0,
    of: exhausted?.of ?? "nothing",
    cutOff: all.some(cutsOff),
    violations: [...new Set(violations)],
    holes: holesIn(classes),
    differences:
      visited === null
        ? ["more executions than orders"]
        : differences(classes, visited).map(({ what, detail }) => `${what}: ${detail}`),
  };
}
