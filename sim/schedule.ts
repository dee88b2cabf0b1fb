/**
 * One encoding for everything: a schedule is a list of orderings over the first-come schedule, with the faults that
 * strike and the data that is chosen. Search, shrinking, replay and placement all run schedules through this file.
 *
 * The rule: hold `then` until `first` has run. When everything possible is held, the oldest held delivery goes and
 * its ordering is unmet. A `late` fault lets its delivery arrive `arg` ticks into the drain of the first delivery
 * after which it is possible and no longer held.
 */
import type { Chooser, PossibleDelivery } from "./execution.ts";
import type { Fault, Ordering } from "./result.ts";

export type Schedule = {
  readonly orderings: readonly Ordering[];
  readonly faults: readonly Fault[];
  /** Indexes for `choose`, in order; a missing one is 0. */
  readonly data: readonly number[];
};

export const firstComeSchedule: Schedule = { orderings: [], faults: [], data: [] };

export type ScheduleOutcome = {
  readonly met: readonly Ordering[];
  /** `then` ran before `first`, or never did. */
  readonly unmet: readonly Ordering[];
  /** Names of deliveries that the execution never had. */
  readonly neverAppeared: readonly string[];
};

export function describeOrdering(ordering: Ordering): string {
  return `${ordering.first} before ${ordering.then}`;
}

/** Follows a schedule best-effort: what no longer fits is passed over and remembered. */
export class ScheduleChooser implements Chooser {
  readonly measures: boolean = false;
  readonly #schedule: Schedule;
  /** then → the orderings that hold it. */
  readonly #heldBy = new Map<string, Ordering[]>();
  readonly #late = new Map<string, number>();
  readonly #struck = new Map<string, "fail" | "hang">();
  readonly #ran = new Set<string>();
  readonly #arrivedLate = new Set<string>();
  readonly #met = new Set<Ordering>();
  #dataAt = 0;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
    for (const ordering of schedule.orderings) {
      const holds = this.#heldBy.get(ordering.then);
      if (holds === undefined) this.#heldBy.set(ordering.then, [ordering]);
      else holds.push(ordering);
    }
    for (const fault of schedule.faults) {
      if (fault.kind === "late") this.#late.set(fault.at, fault.arg ?? 1);
      else if (fault.kind === "fail" || fault.kind === "hang") this.#struck.set(fault.at, fault.kind);
    }
  }

  /** Forgets what has run, to follow the schedule from its start. */
  restart(): void {
    for (const seen of [this.#ran, this.#arrivedLate, this.#met]) seen.clear();
    this.#dataAt = 0;
  }

  delivery(possible: readonly PossibleDelivery[], count: number): number {
    for (let index = 0; index < count; index++) {
      const candidate = possible[index];
      if (candidate !== undefined && !this.holds(candidate.name)) return index;
    }
    return 0;
  }

  companion(candidates: readonly PossibleDelivery[], count: number, _after: PossibleDelivery): number {
    if (this.#late.size === 0) return 0;
    for (let index = 0; index < count; index++) {
      const candidate = candidates[index];
      if (candidate !== undefined && this.#late.has(candidate.name) && !this.holds(candidate.name)) return index + 1;
    }
    return 0;
  }

  ticks(_most: number, companion: PossibleDelivery): number {
    this.#arrivedLate.add(companion.name);
    return this.#late.get(companion.name) ?? 1;
  }

  data(_label: string, count: number): number {
    const index = this.#schedule.data[this.#dataAt++] ?? 0;
    return index < count ? index : 0;
  }

  fault(delivery: PossibleDelivery, kinds: readonly ("none" | "fail" | "hang")[]): number {
    const kind = this.#struck.get(delivery.name);
    return kind === undefined ? 0 : Math.max(0, kinds.indexOf(kind));
  }

  delivered(delivery: Pick<PossibleDelivery, "name">): void {
    const { name } = delivery;
    this.#ran.add(name);
    for (const ordering of this.#heldBy.get(name) ?? []) {
      if (this.#ran.has(ordering.first)) this.#met.add(ordering);
    }
  }

  drained(_ticks: number): void {}

  /**
   * Tells which orderings were met once the execution has ended, and which of the deliveries that the schedule names
   * never appeared. `left` are the deliveries that were still open; an ordering whose `then` was cut off by the end
   * counts as met where its `first` has run.
   */
  outcome(left: readonly string[]): ScheduleOutcome {
    const met: Ordering[] = [];
    const unmet: Ordering[] = [];
    const neverAppeared = new Set<string>();
    const appeared = (name: string): boolean => this.#ran.has(name) || left.includes(name);
    for (const ordering of this.#schedule.orderings) {
      const cutOff = this.#ran.has(ordering.first) && left.includes(ordering.then);
      (this.#met.has(ordering) || cutOff ? met : unmet).push(ordering);
      for (const name of [ordering.first, ordering.then]) if (!appeared(name)) neverAppeared.add(name);
    }
    for (const fault of this.#schedule.faults) if (!appeared(fault.at)) neverAppeared.add(fault.at);
    return { met, unmet, neverAppeared: [...neverAppeared] };
  }

  /** Late faults whose delivery did not arrive inside a drain. */
  missedLate(): readonly Fault[] {
    return this.#schedule.faults.filter((fault) => fault.kind === "late" && !this.#arrivedLate.has(fault.at));
  }

  /** True while the schedule wants something else to run before. */
  holds(name: string): boolean {
    const holds = this.#heldBy.get(name);
    if (holds === undefined) return false;
    for (const ordering of holds) if (!this.#ran.has(ordering.first)) return true;
    return false;
  }
}
