/**
 * What all sampling strategies have in common: one chooser for a whole campaign, whose random stream starts again for
 * each execution, and the answers to everything but who comes next. Each strategy is a chooser that overrides
 * `delivery`, and `learn` where it remembers something of executions that have ended.
 *
 * What a chooser remembers it takes in `learn` alone, so an execution that was cut off leaves nothing behind, and
 * execution i depends on the seed, on i, and on the executions 0 … i - 1 in their order.
 */
import type { Chooser, PossibleDelivery } from "../execution.ts";
import { Random, type StreamSeed } from "../random.ts";
import type { StrategyName } from "../result.ts";
import type { Strategy } from "../strategy.ts";

/** One in so many drains has an arrival inside, and one in so many faults that may strike is drawn. */
export const rareness = 4;

/** Draws every answer uniformly. */
export class SamplingChooser implements Chooser {
  readonly measures = false;
  protected readonly random: Random;

  constructor(seed: StreamSeed) {
    this.random = new Random(seed);
  }

  /** Starts execution `index`, from its first choice. */
  restart(index: number): void {
    this.random.restart(index);
  }

  delivery(_possible: readonly PossibleDelivery[], count: number): number {
    return this.random.below(count);
  }

  /** Whoever arrives inside a drain is who would come next, only earlier; so an idea holds at level jitter as well. */
  companion(candidates: readonly PossibleDelivery[], count: number, _after: PossibleDelivery): number {
    return this.random.below(rareness) === 0 ? 1 + this.delivery(candidates, count) : 0;
  }

  ticks(most: number, _companion: PossibleDelivery): number {
    return 1 + this.random.below(Math.max(1, most));
  }

  data(_label: string, count: number): number {
    return this.random.below(count);
  }

  /** Faults are rarer than successes, or no execution gets anywhere. */
  fault(_delivery: PossibleDelivery, kinds: readonly string[]): number {
    return this.random.below(rareness) === 0 ? this.random.below(kinds.length) : 0;
  }

  delivered(_delivery: PossibleDelivery): void {}

  drained(_ticks: number): void {}

  /** Remembers the execution that has just ended. */
  learn(): void {}
}

/** A strategy without an end that runs one chooser again and again. */
export class Sampling implements Strategy {
  readonly name: StrategyName;
  readonly active: StrategyName;
  readonly detailed = false;
  readonly exhausted = null;
  readonly estimate = null;
  readonly chooser: SamplingChooser;

  constructor(name: StrategyName, chooser: SamplingChooser) {
    this.name = name;
    this.active = name;
    this.chooser = chooser;
  }

  next(index: number): Chooser {
    return this.again(index);
  }

  again(index: number): Chooser {
    this.chooser.restart(index);
    return this.chooser;
  }

  ended(): void {
    this.chooser.learn();
  }
}
