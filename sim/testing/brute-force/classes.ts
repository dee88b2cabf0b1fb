/**
 * Classes of traces that differ only in the order of independent deliveries, told apart by the Foata normal form: each
 * delivery stands on the lowest floor above everything before it that it depends on, and a floor has no order (P.
 * Cartier, D. Foata, 1969). Quadratic, and obviously right.
 */
import { type Dependent, dependsOn } from "./depends.ts";
import type { Told, ToldStep } from "./told.ts";

export type Rule = (one: Dependent, other: Dependent) => boolean;

/** Names the class of an execution; equal for exactly the executions of one class. Another rule makes other classes. */
export function classOf({ openingData, steps }: Told, depend: Rule = dependsOn): string {
  const floors: string[][] = [];
  const floorOf: number[] = [];
  for (const [at, step] of steps.entries()) {
    let floor = 0;
    for (let before = 0; before < at; before++) {
      const earlier = steps[before];
      if (earlier !== undefined && depend(earlier, step)) floor = Math.max(floor, (floorOf[before] ?? 0) + 1);
    }
    floorOf.push(floor);
    floors[floor] ??= [];
    floors[floor]?.push(labelOf(step));
  }
  return [openingData.join(), ...floors.map((floor) => floor.sort().join(" "))].join(" | ");
}

/** Names the order itself. */
export function orderOf({ openingData, steps }: Told): string {
  return [openingData.join(), ...steps.map(labelOf)].join(" | ");
}

/** A delivery, and everything that was chosen in it. */
export function labelOf({ name, fault, tick, data }: ToldStep): string {
  const chosen = [fault ?? "", tick > 0 ? `tick ${tick}` : "", data.length > 0 ? `data ${data.join()}` : ""];
  return [name, ...chosen.filter((part) => part !== "")].join(",");
}

export type Classes = ReadonlyMap<string, readonly Told[]>;

/** Puts executions into their classes, by `classOf`. */
export function byClass(executions: readonly Told[], depend: Rule = dependsOn): Classes {
  const classes = new Map<string, Told[]>();
  for (const told of executions) {
    const key = classOf(told, depend);
    const members = classes.get(key);
    if (members === undefined) classes.set(key, [told]);
    else members.push(told);
  }
  return classes;
}
