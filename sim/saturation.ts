/**
 * A stop rule: all goals are reached, no race was seen in a new order for a long while, and the estimate is flat, so that
 * more of the same would hardly show anything new. The chance that the next execution has a trace never seen before is
 * estimated by Good and Turing (I. J. Good, The population frequencies of species, 1953): traces seen exactly once,
 * divided by executions. Böhme (STADS, TOSEM 2018) uses it for fuzzing in the same way.
 *
 * It stops a search, and proves nothing: only a certificate says that there is no more.
 */
/** Below this many executions nothing is called flat. */
export const flatFrom = 200;
/** The chance of a new trace below which the estimate is flat. */
export const flatBelow = 0.01;

export class Saturation {
  /** Hash of a trace → 1 when it was seen once, 2 when more often. */
  readonly #seen = new Map<number, 1 | 2>();
  #executions = 0;
  #once = 0;
  #races = 0;
  /** The execution that showed a race in a new order last. */
  #lastNews = 0;

  /** `races` is how many orders of pairs were seen so far. */
  ended(trace: number, races: number): void {
    this.#executions++;
    if (races > this.#races) this.#lastNews = this.#executions;
    this.#races = races;
    const seen = this.#seen.get(trace);
    if (seen === undefined) this.#once++;
    else if (seen === 1) this.#once--;
    if (seen !== 2) this.#seen.set(trace, seen === undefined ? 1 : 2);
  }

  /** The chance that the next execution has a trace that was never seen. */
  get chanceOfNews(): number {
    return this.#executions === 0 ? 1 : this.#once / this.#executions;
  }

  get flat(): boolean {
    const quiet = this.#executions - this.#lastNews >= this.#executions / 2;
    return this.#executions >= flatFrom && quiet && this.chanceOfNews < flatBelow;
  }
}
