import type { Chooser, PossibleDelivery } from "../sim/execution.ts";
import type { Fault } from "../sim/result.ts";
import { ScheduleChooser } from "../sim/schedule.ts";

/**
 * Delivers in the order of a list of names: always the possible delivery that stands first in it; what is not in the
 * list comes after, first-come. A late delivery arrives inside the drain of the one that ran before it when all that
 * stands ahead of it in the list has run; otherwise it comes on an empty queue.
 */
export class RankChooser implements Chooser {
  readonly measures: boolean = false;
  readonly #order: readonly string[];
  readonly #ranks: ReadonlyMap<string, number>;
  readonly #late: ReadonlySet<string>;
  readonly #ran = new Set<string>();
  /** Faults, ticks and data are those of a schedule. */
  readonly #schedule: ScheduleChooser;
  /** All of the list before this index has run. */
  #front = 0;

  constructor(order: readonly string[], faults: readonly Fault[], data: readonly number[]) {
    this.#order = order;
    this.#ranks = new Map(order.map((name, rank) => [name, rank]));
    this.#late = new Set(faults.flatMap(({ at, kind }) => (kind === "late" ? [at] : [])));
    this.#schedule = new ScheduleChooser({ orderings: [], faults, data });
  }

  delivery(possible: readonly PossibleDelivery[], count: number): number {
    let best = 0;
    for (let index = 1; index < count; index++) {
      if (this.#rank(possible[index]) < this.#rank(possible[best])) best = index;
    }
    return best;
  }

  companion(candidates: readonly PossibleDelivery[], count: number, _after: PossibleDelivery): number {
    const next = this.#order[this.#front];
    if (next === undefined || !this.#late.has(next)) return 0;
    for (let index = 0; index < count; index++) if (candidates[index]?.name === next) return index + 1;
    return 0;
  }

  ticks(most: number, companion: PossibleDelivery): number {
    return this.#schedule.ticks(most, companion);
  }

  data(label: string, count: number): number {
    return this.#schedule.data(label, count);
  }

  fault(delivery: PossibleDelivery, kinds: readonly ("none" | "fail" | "hang")[]): number {
    return this.#schedule.fault(delivery, kinds);
  }

  delivered(delivery: PossibleDelivery): void {
    this.#ran.add(delivery.name);
    while (this.#ran.has(this.#order[this.#front] ?? "")) this.#front++;
  }

  drained(_ticks: number): void {}

  #rank(delivery: PossibleDelivery | undefined): number {
    return this.#ranks.get(delivery?.name ?? "") ?? this.#order.length;
  }
}
