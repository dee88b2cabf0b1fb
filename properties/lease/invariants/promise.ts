/**
 * How a promise about a history is judged: sighting by sighting, and each only once, however often it is asked. Where what
 * was seen in one drain can have taken effect in several orders, each reading goes on by itself until it breaks the promise.
 */
import type { Invariant } from "../../invariant.ts";
import type { LeaseHistory, LeaseSighting } from "../history.ts";
import { ordersOf } from "../readings.ts";
import { takeIn } from "../take-in.ts";
import { LeaseView } from "../view.ts";

export type LeaseInvariant = Invariant<LeaseHistory>;

export type Promised = Pick<LeaseInvariant, "name" | "why"> & {
  /** Judges a sighting, with what was known before it. */
  readonly atSight?: (before: LeaseView, sighting: LeaseSighting) => string | undefined;
  /** Judges what is known when a delivery has been dealt with. */
  readonly between?: (view: LeaseView) => string | undefined;
};

type Reading = { readonly view: LeaseView; saw: string | undefined };

/** Of more readings, the later ones are given up. */
const readingsMost = 16;

export function promise(promised: Promised): LeaseInvariant {
  const pasts = new WeakMap<LeaseHistory, Past>();
  return {
    name: promised.name,
    why: promised.why,
    violation(history) {
      const past = pasts.get(history) ?? new Past(promised, history);
      pasts.set(history, past);
      return past.violation();
    },
  };
}

class Past {
  readonly #promised: Promised;
  readonly #history: LeaseHistory;
  #readings: readonly Reading[];
  #seen = 0;

  constructor(promised: Promised, history: LeaseHistory) {
    this.#promised = promised;
    this.#history = history;
    this.#readings = [{ view: new LeaseView(history.policy), saw: undefined }];
  }

  violation(): string | undefined {
    const { sightings } = this.#history;
    while (this.#seen < sightings.length) this.#readOn(sightings);
    const [first] = this.#readings;
    if (first === undefined || this.#readings.length === 1) return first && this.#verdictOf(first);
    const standing = this.#readings.filter((reading) => this.#verdictOf(reading) === undefined);
    if (standing.length === 0) return this.#verdictOf(first);
    this.#readings = standing;
    return undefined;
  }

  /** To the end of the next drain of which the orders are in question, or to the end. */
  #readOn(sightings: readonly LeaseSighting[]): void {
    const end = sightings.findIndex(({ seen }, at) => at >= this.#seen && seen === "drained");
    const drained = sightings[end];
    if (drained?.seen !== "drained" || drained.from < this.#seen) {
      this.#take(sightings.slice(this.#seen, end < 0 ? undefined : end));
      this.#seen = end < 0 ? sightings.length : end + 1;
      return;
    }
    this.#take(sightings.slice(this.#seen, drained.from));
    const orders = ordersOf(sightings.slice(drained.from, end));
    const read = this.#readings.flatMap(({ view, saw }) =>
      orders.flatMap((order) => this.#read({ view: view.copy(), saw }, order)),
    );
    const standing = possible(read).filter((reading) => this.#verdictOf(reading) === undefined);
    this.#readings = (standing.length === 0 ? possible(read).slice(0, 1) : distinct(standing)).slice(0, readingsMost);
    this.#seen = end + 1;
  }

  #take(sightings: readonly LeaseSighting[]): void {
    if (sightings.length > 0)
      this.#readings = possible(this.#readings.flatMap((reading) => this.#read(reading, sightings)));
  }

  /** A spawn without an answer may have been accepted before each of the sightings, or not yet. */
  #read(start: Reading, sightings: readonly LeaseSighting[]): readonly Reading[] {
    let readings: readonly Reading[] = [start];
    for (const sighting of sightings) {
      readings = readings.flatMap((reading) => accepted(reading, sighting));
      for (const reading of readings) {
        reading.saw ??= this.#promised.atSight?.(reading.view, sighting);
        takeIn(reading.view, sighting);
      }
      if (readings.length > 1) readings = possible(distinct(readings)).slice(0, readingsMost);
    }
    return readings;
  }

  #verdictOf({ saw, view }: Reading): string | undefined {
    return saw ?? this.#promised.between?.(view);
  }
}

/** Itself first; then with the spawns under way accepted, one after the other in every order. */
function accepted(reading: Reading, next: LeaseSighting): readonly Reading[] {
  const { saw } = reading;
  const all: Reading[] = [reading];
  for (let at = 0; at < all.length && all.length < readingsMost; at++) {
    const others = all[at]?.view.acceptedOtherwise(next) ?? [];
    all.push(...others.map((view) => ({ view, saw })));
  }
  return all;
}

/** What cannot have been is no excuse, unless nothing else is left. */
function possible(readings: readonly Reading[]): readonly Reading[] {
  const standing = readings.filter(({ view }) => !view.isContradicted);
  return standing.length === 0 ? readings : standing;
}

/** Of readings that know the same, one is enough, and rather one in which nothing is broken. */
function distinct(readings: readonly Reading[]): readonly Reading[] {
  const kept = new Map<string, Reading>();
  for (const reading of readings) {
    const key = reading.view.told();
    const known = kept.get(key);
    if (known === undefined || (known.saw !== undefined && reading.saw === undefined)) kept.set(key, reading);
  }
  return [...kept.values()];
}
