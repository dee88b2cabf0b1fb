/**
 * Partial order sampling: every delivery gets a random priority when it is first possible, the highest runs, and those
 * that conflict with it get a new one. Orders that differ only in independent deliveries are drawn together, so where
 * few pairs conflict, each class of orders is more likely than under the random walk.
 *
 * X. Yuan, J. Yang, R. Gu, Partial order aware concurrency sampling, CAV 2018. Deviations: conflicts are those of
 * declared touches and of a common source. Where nothing is declared everything conflicts, every priority is drawn anew
 * at every step, and this is the random walk.
 */
import { conflictDeclared } from "../dependence.ts";
import type { PossibleDelivery } from "../execution.ts";
import type { StreamSeed } from "../random.ts";
import type { Strategy } from "../strategy.ts";
import { Sampling, SamplingChooser } from "./sampling.ts";
import { Slots } from "./slots.ts";

export function pos(seed: StreamSeed): Strategy {
  return new Sampling("pos", new PriorityChooser(seed));
}

export class PriorityChooser extends SamplingChooser {
  /** What was possible and has not run yet, in order of appearance. */
  readonly #open: PossibleDelivery[] = [];
  /** By place in `#open`. */
  readonly #priorities = new Slots();

  override restart(index: number): void {
    super.restart(index);
    this.#open.length = 0;
  }

  override delivery(possible: readonly PossibleDelivery[], count: number): number {
    let highest = 0;
    let best = Number.NEGATIVE_INFINITY;
    let place = -1;
    for (let index = 0; index < count; index++) {
      const candidate = possible[index];
      if (candidate === undefined) continue;
      // What is possible keeps its order for the most part, so the next one is usually found at once.
      place = this.#placeOf(candidate, place + 1);
      const priority = this.#priorities.get(place);
      if (priority <= best) continue;
      highest = index;
      best = priority;
    }
    return highest;
  }

  override delivered(delivery: PossibleDelivery): void {
    const open = this.#open;
    const place = open.indexOf(delivery);
    if (place >= 0) this.#remove(place);
    for (let other = 0; other < open.length; other++) {
      const pending = open[other];
      if (pending !== undefined && conflictDeclared(delivery, pending)) this.#priorities.set(other, this.random.word());
    }
  }

  /** The priority of what is open now; null: it has none. */
  priorityOf(delivery: PossibleDelivery): number | null {
    const place = this.#open.indexOf(delivery);
    return place < 0 ? null : this.#priorities.get(place);
  }

  #placeOf(delivery: PossibleDelivery, likely: number): number {
    const open = this.#open;
    if (open[likely] === delivery) return likely;
    const known = open.indexOf(delivery);
    if (known >= 0) return known;
    open.push(delivery);
    this.#priorities.set(open.length - 1, this.random.word());
    return open.length - 1;
  }

  #remove(place: number): void {
    const open = this.#open;
    for (let next = place + 1; next < open.length; next++) {
      const moved = open[next];
      if (moved === undefined) continue;
      open[next - 1] = moved;
      this.#priorities.set(next - 1, this.#priorities.get(next));
    }
    open.pop();
  }
}
