/**
 * Probabilistic concurrency testing: every source has a random priority, the highest that can run does, and at a few
 * random points of the execution whoever is about to run falls below everybody else. A bug that needs d orderings is
 * found with a probability of at least 1 / (n k^(d - 1)), for n sources and k deliveries, by d - 1 such points.
 *
 * S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte, A randomized scheduler with probabilistic guarantees of
 * finding bugs, ASPLOS 2010. Deviations: the number of points is drawn for each execution, 0 … 3, because nobody knows
 * the depth of a bug before it is found; k is the longest execution seen so far, so the first has no points; a source
 * may have several deliveries open at once, which then have priorities by family, and fall together with their source.
 */
import type { PossibleDelivery } from "../execution.ts";
import type { StreamSeed } from "../random.ts";
import type { Strategy } from "../strategy.ts";
import { Sampling, SamplingChooser } from "./sampling.ts";
import { Slots } from "./slots.ts";
import { Sources } from "./sources.ts";

const pointsMost = 3;

export function pct(seed: StreamSeed): Strategy {
  return new Sampling("pct", new PctChooser(seed, null));
}

/** With `points`, every execution has that many change points. */
export class PctChooser extends SamplingChooser {
  readonly #fixedPoints: number | null;
  readonly #sources = new Sources();
  /** Priorities, above 0 as they were drawn, below once they fell; 0: not drawn yet. */
  readonly #ofSource = new Slots();
  readonly #ofFamily = new Slots();
  /** Where priorities fall, counted in deliveries; -1 once it has happened. */
  readonly #points: Int32Array;
  #pointCount = 0;
  #placed = 0;
  #longest = 0;

  constructor(seed: StreamSeed, points: number | null) {
    super(seed);
    this.#fixedPoints = points;
    this.#points = new Int32Array(points ?? pointsMost);
  }

  override restart(index: number): void {
    super.restart(index);
    this.#ofSource.clear();
    this.#ofFamily.clear();
    this.#placed = 0;
    this.#pointCount = 0;
    if (this.#longest === 0) return;
    this.#pointCount = this.#fixedPoints ?? this.random.below(pointsMost + 1);
    for (let point = 0; point < this.#pointCount; point++) this.#points[point] = this.random.below(this.#longest);
  }

  override delivery(possible: readonly PossibleDelivery[], count: number): number {
    let highest = this.#highest(possible, count);
    for (let point = 0; point < this.#pointCount; point++) {
      const runs = possible[highest];
      if (this.#points[point] !== this.#placed || runs === undefined) continue;
      this.#fall(runs, point);
      highest = this.#highest(possible, count);
    }
    return highest;
  }

  /** A point may lie where only one delivery is possible, and nobody asks: it runs, and falls for what comes after. */
  override delivered(delivery: PossibleDelivery): void {
    for (let point = 0; point < this.#pointCount; point++) {
      if (this.#points[point] === this.#placed) this.#fall(delivery, point);
    }
    this.#placed++;
  }

  override learn(): void {
    if (this.#placed > this.#longest) this.#longest = this.#placed;
  }

  /** Points are not sorted by place, so of two that fell either may be the lower one, as in the paper. */
  #fall(delivery: PossibleDelivery, point: number): void {
    this.#ofSource.set(this.#sources.idOf(delivery), -1 - point);
    this.#ofFamily.set(delivery.family.id, -1 - point);
    this.#points[point] = -1;
  }

  #highest(possible: readonly PossibleDelivery[], count: number): number {
    let highest = 0;
    let best = possible[0];
    if (best === undefined) return 0;
    for (let index = 1; index < count; index++) {
      const candidate = possible[index];
      if (candidate === undefined || !this.#isAbove(candidate, best)) continue;
      highest = index;
      best = candidate;
    }
    return highest;
  }

  #isAbove(one: PossibleDelivery, other: PossibleDelivery): boolean {
    const mine = this.#sources.idOf(one);
    const theirs = this.#sources.idOf(other);
    if (mine !== theirs) return this.#priority(this.#ofSource, mine) > this.#priority(this.#ofSource, theirs);
    if (one.family === other.family) return false;
    return this.#priority(this.#ofFamily, one.family.id) > this.#priority(this.#ofFamily, other.family.id);
  }

  #priority(slots: Slots, id: number): number {
    const known = slots.get(id);
    if (known !== 0) return known;
    const drawn = 1 + (this.random.word() >>> 2);
    slots.set(id, drawn);
    return drawn;
  }
}
