/**
 * The states of a budgeted model without their budgets, each asked about once: the plain environment, reducer, invariants
 * and goals answer for it, and what they answer is kept as edges. They are given no budget, so they cannot answer otherwise
 * for another one. Whatever may be broken is not judged here: `suspicious` leaves the verdict to the plain exploration.
 */
import type { BudgetedModel } from "./budget.ts";
import { Explored } from "./explored.ts";
import { judgeState, judgeStep } from "./judge.ts";
import { bitsFor } from "./layout.ts";
import { full, known } from "./state-table.ts";
import type { OpenGoal } from "./sweep-goals.ts";
import { Words } from "./words.ts";

/** 0: for nothing; else the place of a counter in the budget, and one more. */
export type Price = number;
export const free: Price = 0;

export class BareGraph<State, Input, Effect> {
  readonly explored: Explored<State, Input, Effect>;
  readonly prices: number;
  readonly #model: BudgetedModel<State, Input, Effect>;
  readonly #priceOf: ReadonlyMap<string, Price>;
  readonly #priceBits: number;
  /** Where the answers about a state begin in `#answers`; 0 before it was asked about. */
  readonly #starts = new Words();
  /** One after the other: inputs at each price, how many edges, the edges. */
  readonly #answers = new Words();
  #end = 1;
  #inputCounts: Int32Array;

  constructor(model: BudgetedModel<State, Input, Effect>) {
    this.#model = model;
    this.explored = new Explored<State, Input, Effect>(model);
    const counters = Object.keys(model.budget);
    this.prices = counters.length + 1;
    this.#priceBits = bitsFor(this.prices);
    this.#priceOf = new Map(counters.map((name, place) => [name, place + 1]));
    this.#inputCounts = new Int32Array(this.prices);
    this.explored.add(model.initial, 0);
  }

  get bytes(): number {
    return this.explored.table.bytes + this.#starts.bytes + this.#answers.bytes;
  }

  isAsked(number: number): boolean {
    return (this.#starts.array[number] ?? 0) !== 0;
  }

  /** The plain code about one state. `full`: nothing is kept, and it may be asked again. */
  ask(
    number: number,
    goals: readonly OpenGoal<State, Input, Effect>[],
    reached: (place: number, price: Price) => void,
    spareBytes: number,
  ): "asked" | "suspicious" | "full" {
    const { explored } = this;
    const model = this.#model;
    const before = explored.stateAt(number);
    if (number === 0 && judgeState(model, before) !== null) return "suspicious";
    const inputs = explored.inputsOf(before);
    const room = this.prices + 1 + inputs.length;
    if (!this.#starts.reserve(number + 1, spareBytes) || !this.#answers.reserve(this.#end + room, spareBytes))
      return "full";
    const first = this.#end + this.prices + 1;
    let next = first;
    this.#inputCounts.fill(0);
    for (const input of inputs) {
      const price = this.#price(before, input);
      this.#inputCounts[price] = (this.#inputCounts[price] ?? 0) + 1;
      const { state: after, effects } = model.step(before, input);
      if (judgeStep(model, before, input, after, effects) !== null) return "suspicious";
      for (const { goal, place } of goals) if (goal.reached(before, input, after, effects)) reached(place, price);
      if (after === before) continue;
      const added = explored.add(after, number);
      if (added === full) return "full";
      if (added !== known && judgeState(model, after) !== null) return "suspicious";
      const to = explored.table.met;
      if (to !== number || price !== free) next = this.#keep(first, next, (to << this.#priceBits) | price);
    }
    // With nothing left of any counter nothing could happen.
    if (this.#inputCounts[free] === 0 && !model.quiescent(before)) return "suspicious";
    const answers = this.#answers.array;
    answers.set(this.#inputCounts, this.#end);
    answers[first - 1] = next - first;
    this.#starts.array[number] = this.#end;
    this.#end = next;
    return "asked";
  }

  /** How many inputs a state has at a price. */
  inputsAt(number: number, price: Price): number {
    return this.#answers.array[(this.#starts.array[number] ?? 0) + price] ?? 0;
  }

  /** Where the edges of a state lie in `edges`: from here on, after how many there are. */
  edgesAt(number: number): number {
    return (this.#starts.array[number] ?? 0) + this.prices;
  }

  get edges(): Int32Array {
    return this.#answers.array;
  }

  get priceBits(): number {
    return this.#priceBits;
  }

  #price(state: State, input: Input): Price {
    const name = this.#model.price(state, input);
    if (name === null) return free;
    const price = this.#priceOf.get(name);
    if (price === undefined) throw new Error(`Broken assertion: "${this.#model.name}" has no counter "${name}"`);
    return price;
  }

  /** Two inputs that lead to the same state at the same price are one edge. */
  #keep(first: number, next: number, edge: number): number {
    const answers = this.#answers.array;
    for (let at = first; at < next; at++) if (answers[at] === edge) return next;
    answers[next] = edge;
    return next + 1;
  }
}
