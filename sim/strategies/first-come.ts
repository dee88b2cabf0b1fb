import type { Chooser } from "../execution.ts";
import { FirstComeChooser, type Strategy } from "../strategy.ts";

/** Runs the first-come schedule, once. Nothing is reordered; it follows no paper, all others are compared with it. */
export class FirstCome implements Strategy {
  readonly name = "first-come";
  readonly active = "first-come";
  readonly detailed = false;
  readonly exhausted = null;
  readonly estimate = null;
  readonly #measures: boolean;
  #done = false;

  constructor(measures: boolean) {
    this.#measures = measures;
  }

  next(): Chooser | null {
    if (this.#done) return null;
    this.#done = true;
    return this.again();
  }

  again(): Chooser {
    return new FirstComeChooser(this.#measures);
  }

  ended(): void {}
}
