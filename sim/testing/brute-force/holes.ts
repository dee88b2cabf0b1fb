/**
 * Holes in the dependence itself, found without any reduced search: executions of one class must agree in everything but
 * their order, and two neighbours that do not depend on each other must be possible in the other order, too.
 */
import { type Classes, labelOf, orderOf } from "./classes.ts";
import { finalNote } from "./code.ts";
import { dependsOn } from "./depends.ts";
import type { Told, ToldStep } from "./told.ts";

/** Looks at all executions of a scenario, and says what is wrong with their classes. */
export function holesIn(classes: Classes): readonly string[] {
  return [...disagreements(classes), ...missingSwaps(classes)];
}

function disagreements(classes: Classes): string[] {
  const holes: string[] = [];
  for (const [key, members] of classes) {
    const [first, ...others] = members;
    if (first === undefined) continue;
    for (const other of others) {
      const [one, two] = [factsOf(first), factsOf(other)];
      const differing = one.find((fact, at) => fact !== two[at]) ?? two[one.length];
      if (differing === undefined) continue;
      const against = two[one.indexOf(differing)];
      holes.push(`One class, two outcomes: ${key}\n  ${orderOf(first)}: ${differing}\n  ${orderOf(other)}: ${against}`);
      break;
    }
  }
  return holes;
}

/** Everything that is to be seen of an execution but the order of its deliveries, and the time at which they ran. */
function factsOf({ execution, steps, state }: Told): readonly string[] {
  const { violation, left, opening } = execution;
  // Of several that are stuck the name is that of the first, in order of their starts: the detail names them all.
  const broken = violation === null ? "" : `${violation.kind} ${wordsOf(violation.detail)}`;
  return [
    `state ${state}`,
    `violation ${broken}`,
    `opening ${JSON.stringify(opening)}`,
    `left ${[...left].sort()}`,
    ...steps.map(factOf).sort(),
  ];
}

function factOf(step: ToldStep): string {
  const { askedBy, touches, cancelled } = step;
  // Noted by a condition, when all is over: it stands with whatever came last.
  const notes = step.notes.filter(({ event }) => event !== finalNote);
  return `${labelOf(step)} ${JSON.stringify({ askedBy, touches, cancelled, notes })}`;
}

function wordsOf(text: string): string {
  return text
    .split(/[\s,]+/)
    .sort()
    .join(" ");
}

function missingSwaps(classes: Classes): string[] {
  const holes: string[] = [];
  const classOfOrder = new Map<string, string>();
  for (const [key, members] of classes) for (const told of members) classOfOrder.set(orderOf(told), key);
  for (const [key, members] of classes) {
    for (const told of members) {
      for (const swapped of swapsOf(told)) {
        const order = orderOf(swapped);
        const found = classOfOrder.get(order);
        if (found === key) continue;
        const what = found === undefined ? "not possible the other way" : "of another class";
        holes.push(`Independent, and ${what}:\n  ${orderOf(told)}\n  ${order}`);
      }
    }
  }
  return holes;
}

/** The execution with two independent neighbours swapped, in every way. */
function swapsOf(told: Told): Told[] {
  const { steps, execution } = told;
  const swaps: Told[] = [];
  // Who breaks something ends the execution: what comes after it never does.
  const cutOff = execution.violation !== null && !["stuck", "quiescence"].includes(execution.violation.kind);
  const last = steps.length - (cutOff ? 1 : 0);
  for (let at = 0; at + 1 < last; at++) {
    const [one, two] = [steps[at], steps[at + 1]];
    if (one === undefined || two === undefined || dependsOn(one, two)) continue;
    swaps.push({ ...told, steps: [...steps.slice(0, at), two, one, ...steps.slice(at + 2)] });
  }
  return swaps;
}
