import type { Execution, TraceNote } from "./execution.ts";
import { describeReason } from "./native/reasons.ts";

/** Names the first step in which two executions differ; null when they are equal. */
export function firstDifference(one: Execution, other: Execution): string | null {
  const openings = [one, other].map(({ opening }) => described(opening));
  if (openings[0] !== openings[1]) {
    return `two runs with equal choices differ before the first delivery: first${openings.join(", then")}`;
  }
  const steps = Math.max(one.steps.length, other.steps.length);
  for (let index = 0; index < steps; index++) {
    const first = describeStep(one, index);
    const second = describeStep(other, index);
    if (first !== second) {
      return `two runs with equal choices differ at step ${index + 1}: first ${first}, then ${second}`;
    }
  }
  const outcomes = [one, other].map(({ violation }) => (violation === null ? "held" : `violated "${violation.name}"`));
  return outcomes[0] === outcomes[1]
    ? null
    : `two runs with equal choices ended differently: ${outcomes.join(", then ")}`;
}

function describeStep({ steps }: Execution, index: number): string {
  const step = steps[index];
  if (step === undefined) return "nothing";
  const tick = step.tick > 0 ? ` at tick ${step.tick}` : "";
  return `${step.name} of ${step.possible.length} possible${tick}${described(step.notes)}`;
}

function described(notes: readonly TraceNote[]): string {
  return notes.map(({ event, data }) => ` noting ${event} ${describeReason(data)}`).join();
}
