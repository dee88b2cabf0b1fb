/**
 * Derives the complete schedule of an execution: what must be held, struck and chosen so that the first-come schedule
 * becomes exactly this one. Shrinking then takes away what does not matter.
 *
 * Why it is complete: at every step all that stood before the chosen delivery is held by it, and nothing chosen is
 * still held, because whatever overtook it has run by then.
 */
import { chosenSteps, type Execution } from "../sim/execution.ts";
import type { Fault, Ordering } from "../sim/result.ts";
import type { Schedule } from "../sim/schedule.ts";

/** Returns the schedule under which ScheduleChooser repeats the execution, orderings in the order of the trace. */
export function scheduleOf(execution: Execution): Schedule {
  const orderings: Ordering[] = [];
  let anchor: string | null = null;
  for (const { name, possible, chosen, tick } of execution.steps) {
    if (tick > 0) {
      // It waits for the delivery in whose drain it arrives. Nothing is overtaken there: the others simply do not come.
      if (anchor !== null) orderings.push({ first: anchor, then: name });
    } else {
      for (const overtaken of possible.slice(0, chosen)) orderings.push({ first: name, then: overtaken });
    }
    anchor = name;
  }
  return {
    orderings: withoutRepeats(orderings),
    faults: faultsOf(execution),
    data: withoutTrailingZeros(execution.data),
  };
}

/** All that overtook a delivery in this execution, in order. */
export function overtakersOf(execution: Execution, name: string): string[] {
  return scheduleOf(execution)
    .orderings.filter(({ then }) => then === name)
    .map(({ first }) => first);
}

/**
 * Returns the same schedule with one ordering for each delivery: the last that overtook it. It repeats the execution
 * too, because a delivery that is held for longer than it was overtaken was not chosen in between.
 */
export function briefScheduleOf(execution: Execution): Schedule {
  const schedule = scheduleOf(execution);
  const last = new Map(schedule.orderings.map((ordering) => [ordering.then, ordering]));
  return { ...schedule, orderings: schedule.orderings.filter((ordering) => last.get(ordering.then) === ordering) };
}

/** The delivery in whose drain a late one arrived; null when it did not arrive late. */
export function anchorOf(execution: Execution, late: string): string | null {
  const at = execution.steps.findIndex(({ name, tick }) => name === late && tick > 0);
  return execution.steps[at - 1]?.name ?? null;
}

/** Pairs of deliveries in the order of one execution that another has the other way round, the closest first. */
export function turnedPairs(one: Execution, other: Execution, limit: number): readonly Ordering[] {
  const places = new Map(other.steps.map(({ name }, at) => [name, at]));
  const turned: Ordering[] = [];
  const steps = chosenSteps(one);
  for (let distance = 1; distance < steps.length && turned.length < limit; distance++) {
    steps.slice(distance).forEach(({ name: then }, at) => {
      const first = steps[at]?.name ?? then;
      if ((places.get(first) ?? -1) > (places.get(then) ?? places.size)) turned.push({ first, then });
    });
  }
  return turned.slice(0, limit);
}

/** Orderings as a story of the execution: whose `first` came earlier stands earlier. */
export function inOrderOf({ steps }: Execution, orderings: readonly Ordering[]): readonly Ordering[] {
  const places = new Map(steps.map(({ name }, at) => [name, at]));
  const place = (name: string): number => places.get(name) ?? steps.length;
  return orderings.toSorted(
    (one, other) => place(one.first) - place(other.first) || place(one.then) - place(other.then),
  );
}

/** A choice of data that is missing is 0, so trailing zeros say nothing. */
export function withoutTrailingZeros(data: readonly number[]): readonly number[] {
  let length = data.length;
  while (length > 0 && data[length - 1] === 0) length--;
  return data.slice(0, length);
}

function faultsOf({ steps }: Execution): Fault[] {
  const faults: Fault[] = [];
  for (const { name, tick, fault } of steps) {
    if (tick > 0) faults.push({ at: name, kind: "late", arg: tick });
    if (fault !== null) faults.push({ at: name, kind: fault });
  }
  return faults;
}

export function withoutRepeats(orderings: readonly Ordering[]): readonly Ordering[] {
  return [
    ...new Map(orderings.map((ordering) => [JSON.stringify([ordering.first, ordering.then]), ordering])).values(),
  ];
}
