/**
 * Steers by race coverage: draws a pair of conflicting deliveries that were only ever seen in one order, and holds the
 * one that always went first until the other has run. Everything else is placed by the uniform random walk in half of the
 * executions, and first-come in the others.
 *
 * Idea: Maple (Yu, Narayanasamy, Pereira, Pokam, OOPSLA 2012) forces interleavings that were not covered yet. Deviation:
 * what is forced is one ordering by name; where its deliveries have other names this time, it is unmet and costs nothing.
 */
import type { Chooser, PossibleDelivery } from "../execution.ts";
import type { Coverage } from "../race-coverage.ts";
import { Random, type StreamSeed } from "../random.ts";
import { firstComeSchedule, ScheduleChooser } from "../schedule.ts";
import type { Strategy } from "../strategy.ts";
import type { SamplingChooser } from "./sampling.ts";

export class UnseenOrders implements Strategy {
  readonly name = "orderings";
  readonly active = "orderings";
  readonly detailed = false;
  readonly exhausted = null;
  readonly estimate = null;
  readonly #random: Random;
  readonly #coverage: Coverage;
  readonly #walk: SamplingChooser;
  #pair: ScheduleChooser | null = null;
  #chooser: Chooser | null = null;

  constructor(seed: StreamSeed, coverage: Coverage, walk: SamplingChooser) {
    this.#random = new Random(seed);
    this.#coverage = coverage;
    this.#walk = walk;
  }

  /** Null while every pair was seen in both orders. */
  next(index: number): Chooser | null {
    const unseen = this.#coverage.unseen();
    if (unseen.length === 0) return null;
    this.#random.restart(index);
    const ordering = unseen[this.#random.below(unseen.length)];
    this.#pair = new ScheduleChooser({ ...firstComeSchedule, orderings: ordering === undefined ? [] : [ordering] });
    const walks = this.#random.below(2) === 0;
    this.#chooser = walks ? new HoldingChooser(this.#pair, this.#walk) : this.#pair;
    return this.again(index);
  }

  again(index: number): Chooser {
    this.#pair?.restart();
    this.#walk.restart(index);
    if (this.#chooser === null) throw new RangeError("No execution was prepared");
    return this.#chooser;
  }

  ended(): void {
    this.#walk.learn();
  }
}

/** Lets a walk choose among what a schedule does not hold. */
class HoldingChooser implements Chooser {
  readonly measures = false;
  readonly #schedule: ScheduleChooser;
  readonly #walk: SamplingChooser;
  readonly #free: PossibleDelivery[] = [];

  constructor(schedule: ScheduleChooser, walk: SamplingChooser) {
    this.#schedule = schedule;
    this.#walk = walk;
  }

  delivery(possible: readonly PossibleDelivery[], count: number): number {
    let free = 0;
    for (let index = 0; index < count; index++) {
      const candidate = possible[index];
      if (candidate !== undefined && !this.#schedule.holds(candidate.name)) this.#free[free++] = candidate;
    }
    if (free === 0) return 0;
    const drawn = this.#free[free === 1 ? 0 : this.#walk.delivery(this.#free, free)];
    for (let index = 0; index < count; index++) if (possible[index] === drawn) return index;
    return 0;
  }

  companion(): number {
    return 0;
  }

  ticks(): number {
    return 1;
  }

  data(label: string, count: number): number {
    return this.#walk.data(label, count);
  }

  fault(delivery: PossibleDelivery, kinds: readonly ("none" | "fail" | "hang")[]): number {
    return this.#walk.fault(delivery, kinds);
  }

  delivered(delivery: PossibleDelivery): void {
    this.#schedule.delivered(delivery);
    this.#walk.delivered(delivery);
  }

  drained(): void {}
}
