/**
 * Uniform random walk: a source is drawn in proportion to the deliveries that it has still to come, which makes every
 * interleaving of chains equally likely. The plain random walk lets short chains end early: among 40 deliveries of one
 * source it puts the only one of another source behind them once in 2^40 executions, this one once in 41.
 *
 * H. Zhao, D. Wolff, U. Mathur, A. Roychoudhury, Selectively uniform concurrency testing, ASPLOS 2025. Deviations:
 * nobody knows the counts before, so they are the most that any execution had so far (the first one is a plain random
 * walk); a source with nothing left counts as one delivery; a source may have several deliveries open at once, then one
 * of its families is drawn in the same way, and any of that family's.
 */
import type { PossibleDelivery } from "../execution.ts";
import type { StreamSeed } from "../random.ts";
import { Sampling, SamplingChooser } from "./sampling.ts";
import { Slots } from "./slots.ts";
import { Sources } from "./sources.ts";
import { Tallies } from "./tallies.ts";

export function urw(seed: StreamSeed): Sampling {
  return new Sampling("urw", new UniformChooser(seed));
}

class UniformChooser extends SamplingChooser {
  readonly #sources = new Sources();
  readonly #bySource = new Tallies();
  readonly #byFamily = new Tallies();
  /** The choice at which a source or family was last weighed, so that each is weighed once. */
  readonly #sourceWeighed = new Slots();
  readonly #familyWeighed = new Slots();
  #choice = 0;

  override restart(index: number): void {
    super.restart(index);
    this.#bySource.begin();
    this.#byFamily.begin();
    this.#sourceWeighed.clear();
    this.#familyWeighed.clear();
    this.#choice = 0;
  }

  override delivery(possible: readonly PossibleDelivery[], count: number): number {
    this.#choice++;
    const source = this.#drawSource(possible, count);
    const family = this.#drawFamily(possible, count, source);
    return this.#drawOne(possible, count, family);
  }

  override delivered(delivery: PossibleDelivery): void {
    this.#bySource.add(this.#sources.idOf(delivery));
    this.#byFamily.add(delivery.family.id);
  }

  override learn(): void {
    this.#bySource.learn();
    this.#byFamily.learn();
  }

  #drawSource(possible: readonly PossibleDelivery[], count: number): number {
    let total = 0;
    let drawn = 0;
    for (let index = 0; index < count; index++) {
      const candidate = possible[index];
      if (candidate === undefined) continue;
      const source = this.#sources.idOf(candidate);
      if (this.#sourceWeighed.get(source) === this.#choice) continue;
      this.#sourceWeighed.set(source, this.#choice);
      const weight = Math.max(1, this.#bySource.left(source));
      total += weight;
      // A reservoir of one: each replaces what was drawn before with the share it has of all so far.
      if (total === weight || this.random.below(total) < weight) drawn = source;
    }
    return drawn;
  }

  #drawFamily(possible: readonly PossibleDelivery[], count: number, source: number): number {
    let total = 0;
    let drawn = 0;
    for (let index = 0; index < count; index++) {
      const candidate = possible[index];
      if (candidate === undefined || this.#sources.idOf(candidate) !== source) continue;
      const family = candidate.family.id;
      if (this.#familyWeighed.get(family) === this.#choice) continue;
      this.#familyWeighed.set(family, this.#choice);
      const weight = Math.max(1, this.#byFamily.left(family));
      total += weight;
      if (total === weight || this.random.below(total) < weight) drawn = family;
    }
    return drawn;
  }

  #drawOne(possible: readonly PossibleDelivery[], count: number, family: number): number {
    let seen = 0;
    let drawn = 0;
    for (let index = 0; index < count; index++) {
      if (possible[index]?.family.id !== family) continue;
      seen++;
      if (seen === 1 || this.random.below(seen) === 0) drawn = index;
    }
    return drawn;
  }
}
