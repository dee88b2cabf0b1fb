/**
 * Random walk: every possible delivery is as likely as any other, at every choice point. At level jitter a delivery
 * arrives inside a drain one time in four, after a number of ticks drawn uniformly up to the longest drain measured.
 * Estimates the number of classes as it goes, see ClassWalk: where nothing is declared, that is the number of orders. A
 * delivery that would only repeat another class is not chosen.
 */
import type { Chooser, PossibleDelivery } from "../execution.ts";
import type { StreamSeed } from "../random.ts";
import type { Estimate, Level } from "../result.ts";
import type { Ended, Strategy } from "../strategy.ts";
import { ClassWalk } from "./class-walk.ts";
import { rareness, SamplingChooser } from "./sampling.ts";

export class RandomWalk implements Strategy {
  readonly name = "random";
  readonly active = "random";
  readonly exhausted = null;
  readonly #chooser: RandomChooser;
  readonly #level: Level;
  #probes = 0;
  #sum = 0;
  #sumOfSquares = 0;

  constructor(seed: StreamSeed, level: Level) {
    this.#chooser = new RandomChooser(seed, level);
    this.#level = level;
  }

  /** Now and then, where there is something to learn for the estimate. */
  get detailed(): boolean {
    return this.#level === "spec" && this.#chooser.walk.learns;
  }

  next(index: number): Chooser {
    return this.again(index);
  }

  again(index: number): Chooser {
    this.#chooser.restart(index);
    return this.#chooser;
  }

  ended(end: Ended): void {
    const { walk } = this.#chooser;
    walk.ended();
    if (end.violated) return;
    this.#probes++;
    this.#sum += walk.product;
    this.#sumOfSquares += walk.product ** 2;
  }

  /** At level jitter the walk is not uniform, and no estimate is made. */
  get estimate(): Estimate | null {
    if (this.#probes < 2 || this.#level === "jitter" || !Number.isFinite(this.#sumOfSquares)) return null;
    const mean = this.#sum / this.#probes;
    const variance = Math.max(0, this.#sumOfSquares / this.#probes - mean ** 2);
    const error = Math.sqrt(variance / this.#probes) / mean;
    const of = this.#chooser.walk.declares ? "classes" : "orders";
    return { classes: Math.round(mean), of, relativeError: Math.round(error * 1_000) / 1_000, probes: this.#probes };
  }
}

class RandomChooser extends SamplingChooser {
  readonly walk = new ClassWalk();
  readonly #level: Level;

  constructor(seed: StreamSeed, level: Level) {
    super(seed);
    this.#level = level;
  }

  override restart(index: number): void {
    super.restart(index);
    this.walk.restart();
  }

  override delivery(possible: readonly PossibleDelivery[], count: number): number {
    if (this.#level === "jitter") return super.delivery(possible, count);
    return this.walk.choose(possible, count, (options) => this.random.below(options));
  }

  override delivered(delivery: PossibleDelivery): void {
    if (this.#level !== "jitter") this.walk.delivered(delivery);
  }

  override data(label: string, count: number): number {
    this.walk.times(count);
    return super.data(label, count);
  }

  override fault(delivery: PossibleDelivery, kinds: readonly string[]): number {
    const index = super.fault(delivery, kinds);
    const each = 1 / (rareness * kinds.length);
    this.walk.times(1 / (index === 0 ? 1 - 1 / rareness + each : each));
    return index;
  }
}
