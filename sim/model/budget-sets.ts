/**
 * Sets of budgets as bits. A budget is a number in mixed radix, a digit for each counter, so that taking one off a counter is
 * the same distance for every budget that has one: on a whole set it is one shift.
 */
import type { Budget } from "./budget.ts";

type Counter = {
  readonly distance: number;
  /** The budgets in which something of it is left. */
  readonly some: Int32Array;
};

/** How many budgets there are. */
export function countBudgets(budget: Budget): number {
  return Object.values(budget).reduce((size, most) => size * (most + 1), 1);
}

export class BudgetSets {
  readonly size: number;
  /** 32-bit words of a set. */
  readonly words: number;
  readonly names: readonly string[];
  readonly #counters: readonly Counter[];

  constructor(budget: Budget) {
    this.names = Object.keys(budget);
    this.size = countBudgets(budget);
    this.words = Math.ceil(this.size / 32);
    let distance = 1;
    this.#counters = Object.values(budget).map((most) => {
      const below = distance;
      distance *= most + 1;
      return { distance: below, some: this.#where((number) => number % (below * (most + 1)) >= below) };
    });
  }

  /** Adds the whole budget: the greatest number. */
  addWhole(sets: Int32Array, at: number): void {
    const last = this.size - 1;
    const word = at + (last >>> 5);
    sets[word] = (sets[word] ?? 0) | (1 << (last & 31));
  }

  /** Writes what becomes of a set when one is taken off a counter; budgets that have nothing left of it are dropped. */
  spend(sets: Int32Array, at: number, counter: number, into: Int32Array, intoAt: number): void {
    const { distance, some } = this.#of(counter);
    const skipped = distance >>> 5;
    const shift = distance & 31;
    for (let word = 0; word < this.words; word++) {
      const from = word + skipped;
      const low = ((sets[at + from] ?? 0) & (some[from] ?? 0)) >>> shift;
      const high = shift === 0 ? 0 : ((sets[at + from + 1] ?? 0) & (some[from + 1] ?? 0)) << (32 - shift);
      into[intoAt + word] = low | high;
    }
  }

  #where(holds: (number: number) => boolean): Int32Array {
    const set = new Int32Array(this.words);
    for (let number = 0; number < this.size; number++) {
      if (holds(number)) set[number >>> 5] = (set[number >>> 5] ?? 0) | (1 << (number & 31));
    }
    return set;
  }

  #of(counter: number): Counter {
    const found = this.#counters[counter];
    if (found === undefined) throw new Error(`Broken assertion: counter ${counter} of ${this.#counters.length}`);
    return found;
  }
}

export function countOf(sets: Int32Array, at: number, words: number): number {
  let count = 0;
  for (let word = 0; word < words; word++) count += ones(sets[at + word] ?? 0);
  return count;
}

/** The bits that are set, counted in parallel. */
export function ones(word: number): number {
  let sum = word - ((word >>> 1) & 0x5555_5555);
  sum = (sum & 0x3333_3333) + ((sum >>> 2) & 0x3333_3333);
  return Math.imul((sum + (sum >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
