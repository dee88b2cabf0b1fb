/**
 * Selectively uniform random walk: each execution picks one thing that several sources touch and one of them writes, and
 * makes every interleaving of the deliveries that touch it equally likely; all others are placed by the plain random
 * walk. A race about one thing is then as likely as its own few deliveries make it, however long the program is.
 *
 * H. Zhao, D. Wolff, U. Mathur, A. Roychoudhury, Selectively uniform concurrency testing, ASPLOS 2025. One source is
 * intended to make the next interesting delivery, drawn in proportion to those that it has still to come; the others'
 * wait for it. Deviations: counts are the most that any execution had so far, so the intended source may never come;
 * when everything possible waits, another is drawn among those at hand. A delivery without declared touches touches
 * everything, which makes it interesting for every resource; and since nothing is known of where such deliveries meet,
 * executions also interleave two *sides*: all deliveries of one source, and those of another or of one family of it (of
 * two families, where there is a single source).
 */
import type { PossibleDelivery } from "../execution.ts";
import type { StreamSeed } from "../random.ts";
import { Interests } from "./interests.ts";
import { Sampling, SamplingChooser } from "./sampling.ts";

export function surw(seed: StreamSeed): Sampling {
  return new Sampling("surw", new SelectiveChooser(seed));
}

class SelectiveChooser extends SamplingChooser {
  readonly #interests = new Interests();
  /** The group that makes the next interesting delivery; -1: anybody. */
  #intended = -1;

  override restart(index: number): void {
    super.restart(index);
    this.#interests.begin(this.random);
    this.#intend();
  }

  override delivery(possible: readonly PossibleDelivery[], count: number): number {
    let free = 0;
    let drawn = -1;
    for (let index = 0; index < count; index++) {
      const candidate = possible[index];
      if (candidate === undefined || this.#waits(this.#interests.groupOf(candidate))) continue;
      free++;
      if (free === 1 || this.random.below(free) === 0) drawn = index;
    }
    return drawn >= 0 ? drawn : this.#intendAnother(possible, count);
  }

  override delivered(delivery: PossibleDelivery): void {
    this.#interests.delivered(delivery);
    if (this.#intended >= 0 && this.#interests.groupOf(delivery) === this.#intended) this.#intend();
  }

  override learn(): void {
    this.#interests.learn();
  }

  #waits(group: number): boolean {
    return group >= 0 && this.#intended >= 0 && group !== this.#intended;
  }

  #intend(): void {
    this.#intended = -1;
    const { groups } = this.#interests;
    let total = 0;
    for (let group = 0; group < groups; group++) {
      const weight = this.#interests.left(group);
      total += weight;
      if (weight > 0 && this.random.below(total) < weight) this.#intended = group;
    }
  }

  /** Everything possible waits for somebody who cannot come: one of those at hand is intended instead, and goes. */
  #intendAnother(possible: readonly PossibleDelivery[], count: number): number {
    let total = 0;
    let drawn = 0;
    for (let index = 0; index < count; index++) {
      const candidate = possible[index];
      if (candidate === undefined) continue;
      const weight = Math.max(1, this.#interests.left(this.#interests.groupOf(candidate)));
      total += weight;
      if (this.random.below(total) < weight) drawn = index;
    }
    const goes = possible[drawn];
    if (goes !== undefined) this.#intended = this.#interests.groupOf(goes);
    return drawn;
  }
}
