import type { Chooser, PossibleDelivery } from "./execution.ts";

/** Plays back the answers that another chooser gave; the same scenario then runs the same execution. */
export class PlaybackChooser implements Chooser {
  readonly measures: boolean;
  readonly #choices: readonly number[];
  #at = 0;

  constructor(choices: readonly number[], measures = false) {
    this.#choices = choices;
    this.measures = measures;
  }

  /** Starts from the beginning again. */
  restart(): this {
    this.#at = 0;
    return this;
  }

  delivery(_possible: readonly PossibleDelivery[], count: number): number {
    return this.#next(count);
  }

  companion(_candidates: readonly PossibleDelivery[], count: number): number {
    return this.#next(count + 1);
  }

  ticks(): number {
    return Math.max(1, this.#choices[this.#at++] ?? 1);
  }

  data(_label: string, count: number): number {
    return this.#next(count);
  }

  fault(_delivery: PossibleDelivery, kinds: readonly string[]): number {
    return this.#next(kinds.length);
  }

  delivered(): void {}

  drained(): void {}

  /** A diverged execution may ask for more or other choices than were recorded; the caller compares the traces. */
  #next(count: number): number {
    const choice = this.#choices[this.#at++] ?? 0;
    return choice < count ? choice : 0;
  }
}
