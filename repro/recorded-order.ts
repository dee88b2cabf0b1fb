/**
 * Brings the deliveries of another execution into the order in which they were recorded, with what is new in between: what
 * `comesFirst` as soon as it is possible, everything else only where nothing recorded can go on. After an edit this is as
 * near to the recorded execution as one can come; whether it is what the repro means is a guess.
 */
import type { Chooser, Execution, PossibleDelivery } from "../sim/execution.ts";
import type { RecordedChoices } from "./choices.ts";
import type { RecordedStep } from "./packed-steps.ts";

/** When the deliveries come that were not recorded: `leading first` where they led to recorded ones, otherwise last. */
export type NewComes = "first" | "last" | "leading first";

/** So many new deliveries in a row may come first; a loop of them must not keep the recorded ones waiting for ever. */
const newInARow = 64;

export class RecordedOrderChooser implements Chooser {
  readonly measures: boolean = false;
  readonly #steps: readonly RecordedStep[];
  readonly #data: readonly number[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #comesFirst: (name: string) => boolean;
  readonly #ran = new Set<string>();
  /** The first recorded step that has not run. */
  #next = 0;
  #newInARow = 0;
  #dataAt = 0;

  constructor({ steps, data }: RecordedChoices, comesFirst: (name: string) => boolean) {
    this.#steps = steps;
    this.#data = data;
    this.#places = new Map(steps.map(({ name }, at) => [name, at]));
    this.#comesFirst = comesFirst;
  }

  delivery(possible: readonly PossibleDelivery[], count: number): number {
    let earliest = -1;
    let place = Number.POSITIVE_INFINITY;
    let fresh = -1;
    for (let index = 0; index < count; index++) {
      const name = possible[index]?.name ?? "";
      const at = this.#places.get(name);
      if (at === undefined) {
        if (this.#newInARow < newInARow && this.#comesFirst(name)) return index;
        if (fresh < 0) fresh = index;
      } else if (at < place) {
        [earliest, place] = [index, at];
      }
    }
    return fresh >= 0 && place !== this.#next ? fresh : Math.max(0, earliest);
  }

  companion(candidates: readonly PossibleDelivery[], count: number, after: PossibleDelivery): number {
    for (let index = 0; index < count; index++) {
      const at = this.#places.get(candidates[index]?.name ?? "");
      if (at === undefined || (this.#steps[at]?.tick ?? 0) === 0) continue;
      if (this.#steps[at - 1]?.name === after.name) return index + 1;
    }
    return 0;
  }

  ticks(most: number, companion: PossibleDelivery): number {
    return Math.max(1, Math.min(most, this.#stepOf(companion)?.tick ?? 1));
  }

  data(_label: string, count: number): number {
    const index = this.#data[this.#dataAt++] ?? 0;
    return index < count ? index : 0;
  }

  fault(delivery: PossibleDelivery, kinds: readonly ("none" | "fail" | "hang")[]): number {
    return Math.max(0, kinds.indexOf(this.#stepOf(delivery)?.fault ?? "none"));
  }

  delivered({ name }: PossibleDelivery): void {
    this.#ran.add(name);
    this.#newInARow = this.#places.has(name) ? 0 : this.#newInARow + 1;
    while (this.#ran.has(this.#steps[this.#next]?.name ?? "")) this.#next++;
  }

  drained(_ticks: number): void {}

  #stepOf({ name }: PossibleDelivery): RecordedStep | undefined {
    return this.#steps[this.#places.get(name) ?? -1];
  }
}

/** New deliveries of an execution in whose drains, or in those of what they asked for, recorded ones were asked for. */
export function leadingTo(recorded: readonly RecordedStep[], { steps }: Execution): ReadonlySet<string> {
  const known = new Set(recorded.map(({ name }) => name));
  const askers = new Map(steps.map(({ name, askedBy }) => [name, askedBy]));
  const leading = new Set<string>();
  for (const { name } of steps) {
    if (!known.has(name)) continue;
    let asker = askers.get(name) ?? null;
    while (asker !== null && !known.has(asker) && !leading.has(asker)) {
      leading.add(asker);
      asker = askers.get(asker) ?? null;
    }
  }
  return leading;
}
