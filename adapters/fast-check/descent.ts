import type { Failure } from "./rediscover.ts";

/** What fast-check calls a value: one entry for each arbitrary, in a list that is made for this value alone. */
export type Values = readonly unknown[];

/**
 * Knows which value each was shrunk from, and how those have failed. What becomes of a value depends on its ancestors
 * alone and not on what else was run: a replay by path, which runs the last value only, comes to the same end. So an
 * ancestor that was not run in this process is judged when its descendant asks.
 */
export class Descent {
  readonly #parents = new WeakMap<Values, Values>();
  readonly #seeds = new WeakMap<Values, string>();
  readonly #failures = new WeakMap<Values, Failure | null>();

  generated(values: Values, seed: string): void {
    this.#seeds.set(values, seed);
  }

  shrunk(values: Values, from: Values): void {
    this.#parents.set(values, from);
  }

  failed(values: Values, failure: Failure | null): void {
    this.#failures.set(values, failure);
  }

  /** What fast-check's generator gave with the first of the ancestors; empty for an example, which it did not make. */
  seedOf(values: Values): string {
    let first = values;
    for (let parent = this.#parents.get(first); parent !== undefined; parent = this.#parents.get(first)) first = parent;
    return this.#seeds.get(first) ?? "";
  }

  /** How the value failed that this one was shrunk from; null where there is none. */
  async inherited(values: Values, judge: (values: Values) => Promise<Failure | null>): Promise<Failure | null> {
    const parent = this.#parents.get(values);
    if (parent === undefined) return null;
    const known = this.#failures.get(parent);
    return known === undefined ? judge(parent) : known;
  }
}
