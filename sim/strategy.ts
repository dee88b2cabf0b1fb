import type { Chooser, Execution } from "./execution.ts";
import type { Certificate, Estimate, StrategyName } from "./result.ts";

/** What a strategy learns of an execution that has ended. */
export type Ended = {
  readonly violated: boolean;
  readonly deliveries: number;
  /** Tells the execution in full; only for a strategy that wants detail. */
  tell(): Execution;
};

/** What a strategy that has tried everything can certify. */
export type Exhausted = Pick<Certificate, "classes" | "of" | "blocked" | "bounds" | "assumes"> & {
  /** Deliveries that were taken for independent: a sample, to be run in both orders. */
  readonly pairs: readonly IndependentPair[];
};

/** Two deliveries that were possible at one node, and whose order was taken not to matter. */
export type IndependentPair = {
  readonly first: string;
  readonly then: string;
  /** Deliveries before that node, and all answers up to there. */
  readonly at: number;
  readonly prefix: readonly number[];
  /** What each of the two was answered. */
  readonly answers: { readonly first: readonly number[]; readonly then: readonly number[] };
  /** What comes after both, in this order; absent: whatever is first-come. */
  readonly rest?: readonly string[];
};

/** Proposes one execution after the other. One file each. */
export interface Strategy {
  readonly name: StrategyName;
  /** The strategy at work: itself, unless it takes turns between others. */
  readonly active: StrategyName;
  /** Wants its executions told in full. */
  readonly detailed: boolean;
  /** Prepares execution `index`; null when nothing is left to try. */
  next(index: number): Chooser | null;
  /** Prepares the execution that `next` gave last once more, from its start: it was cut off, and has told nothing. */
  again(index: number): Chooser;
  ended(end: Ended): void;
  /** After `next` has answered null: how many there are, if every one was run. */
  readonly exhausted: Exhausted | null;
  readonly estimate: Estimate | null;
}

/** A chooser that always takes the first-come choice; strategies override what they decide. */
export class FirstComeChooser implements Chooser {
  readonly measures: boolean;

  constructor(measures: boolean) {
    this.measures = measures;
  }

  restart(): void {}

  delivery(): number {
    return 0;
  }

  companion(): number {
    return 0;
  }

  ticks(): number {
    return 1;
  }

  data(): number {
    return 0;
  }

  fault(): number {
    return 0;
  }

  delivered(): void {}

  drained(_ticks: number): void {}
}
