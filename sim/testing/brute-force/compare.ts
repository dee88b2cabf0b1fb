/** Compares what a reduced search has visited with all that there is. */
import type { Visited } from "./by-strategy.ts";
import { byClass, type Classes, orderOf } from "./classes.ts";
import type { Told } from "./told.ts";

export type Difference = {
  readonly what: "missing" | "twice" | "unknown" | "violation" | "certificate";
  readonly detail: string;
};

/** Says where the search went wrong; `classes` hold the executions in every order. */
export function differences(classes: Classes, visited: Visited): readonly Difference[] {
  const all = [...classes.values()].flat();
  const { executions } = visited;
  const seen = new Set(byClass(executions).keys());
  const found: Difference[] = [];
  for (const key of seen) if (!classes.has(key)) found.push({ what: "unknown", detail: key });
  const violations = violationsOf(executions);
  for (const kind of violationsOf(all)) if (!violations.has(kind)) found.push({ what: "violation", detail: kind });
  if (all.some(cutsOff)) return found;
  for (const [key, [first]] of classes) {
    const order = first === undefined ? "" : orderOf(first);
    if (!seen.has(key)) found.push({ what: "missing", detail: `${key}\n  as ${order}` });
  }
  return [...found, ...counted(visited, seen.size)];
}

/** An execution that ends with what it breaks does not show what would have come after it, nor in which orders. */
export function cutsOff({ execution: { violation } }: Told): boolean {
  return violation !== null && violation.kind !== "stuck" && violation.kind !== "quiescence";
}

function violationsOf(executions: readonly Told[]): Set<string> {
  return new Set(executions.flatMap(({ execution: { violation } }) => (violation === null ? [] : [violation.kind])));
}

/** A run that was blocked may end like one that was not: it is no class of its own. */
function counted({ executions, exhausted }: Visited, distinct: number): Difference[] {
  if (exhausted === null) return [{ what: "certificate", detail: "none" }];
  const found: Difference[] = [];
  const again = executions.length - distinct - exhausted.blocked;
  if (again > 0) found.push({ what: "twice", detail: `${again} of ${executions.length} executions` });
  if (exhausted.classes !== distinct) {
    found.push({ what: "certificate", detail: `${exhausted.classes} classes, where ${distinct} were visited` });
  }
  return found;
}
