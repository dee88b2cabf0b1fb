/**
 * Random walk: every possible delivery is as likely as any other, at every choice point. At level jitter a delivery
 * arrives inside a drain one time in four, after a number of ticks drawn uniformly up to the longest drain measured.
 * Estimates the number of orders as it goes (D. E. Knuth, Estimating the efficiency of backtrack programs, 1975): the
 * product of the choices' counts along a random walk is an unbiased estimate of the number of leaves.
 */
import type { Chooser, PossibleDelivery } from "../execution.ts";
import { Random, type StreamSeed } from "../random.ts";
import type { Estimate, Level } from "../result.ts";
import type { Ended, Strategy } from "../strategy.ts";

export class RandomWalk implements Strategy {
  readonly name = "random";
  readonly active = "random";
  readonly detailed = false;
  readonly exhausted = null;
  readonly #chooser: RandomChooser;
  readonly #level: Level;
  #probes = 0;
  #sum = 0;
  #sumOfSquares = 0;

  constructor(seed: StreamSeed, level: Level) {
    this.#chooser = new RandomChooser(new Random(seed));
    this.#level = level;
  }

  next(index: number): Chooser {
    return this.again(index);
  }

  again(index: number): Chooser {
    this.#chooser.restart(index);
    return this.#chooser;
  }

  ended(end: Ended): void {
    if (end.violated) return;
    this.#probes++;
    this.#sum += this.#chooser.product;
    this.#sumOfSquares += this.#chooser.product ** 2;
  }

  /** At level jitter the walk is not uniform, and no estimate is made. */
  get estimate(): Estimate | null {
    if (this.#probes < 2 || this.#level === "jitter" || !Number.isFinite(this.#sumOfSquares)) return null;
    const mean = this.#sum / this.#probes;
    const variance = Math.max(0, this.#sumOfSquares / this.#probes - mean ** 2);
    const error = Math.sqrt(variance / this.#probes) / mean;
    return { classes: Math.round(mean), relativeError: Math.round(error * 1_000) / 1_000, probes: this.#probes };
  }
}

class RandomChooser implements Chooser {
  readonly measures = false;
  readonly #random: Random;
  /** The product of the counts of this walk's choices. */
  product = 1;

  constructor(random: Random) {
    this.#random = random;
  }

  restart(index: number): void {
    this.#random.restart(index);
    this.product = 1;
  }

  delivery(_possible: readonly PossibleDelivery[], count: number): number {
    return this.#draw(count);
  }

  companion(_candidates: readonly PossibleDelivery[], count: number): number {
    return this.#random.below(4) === 0 ? 1 + this.#random.below(count) : 0;
  }

  ticks(most: number): number {
    return 1 + this.#random.below(Math.max(1, most));
  }

  data(_label: string, count: number): number {
    return this.#draw(count);
  }

  /** Faults are rarer than successes, or no execution gets anywhere. */
  fault(_delivery: PossibleDelivery, kinds: readonly string[]): number {
    this.product *= kinds.length;
    return this.#random.below(4) === 0 ? this.#random.below(kinds.length) : 0;
  }

  delivered(): void {}

  drained(): void {}

  #draw(count: number): number {
    this.product *= count;
    return this.#random.below(count);
  }
}
