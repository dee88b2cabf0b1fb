/**
 * Explores a budgeted model breadth-first, with all budgets of a state at once: where a state without its budget has been
 * reached with some budgets, an edge out of it moves the whole set by one shift (`budget-sets.ts`). The plain code is asked
 * about each state without its budget once (`bare-graph.ts`). States, edges, depth and goals are those of the plain
 * exploration, to the last one; a violation it does not find but suspects, and then the plain exploration has to say.
 */

import { BareGraph, free } from "./bare-graph.ts";
import type { BudgetedModel } from "./budget.ts";
import { BudgetSets, countOf, ones } from "./budget-sets.ts";
import type { ModelResult, Progress, RunOptions } from "./result.ts";
import { inSlices } from "./slices.ts";
import { SweepGoals, type Waiting } from "./sweep-goals.ts";
import { Words } from "./words.ts";

/** Null where something may be broken, or does not fit: nothing is said then. */
export type Swept<State, Input, Effect> = ModelResult<State, Input, Effect> | null;

type Stop = "end" | "suspicious" | "full";

const defaultMemoryBytes = 2 ** 30;

export class Sweep<State, Input, Effect> {
  readonly graph: BareGraph<State, Input, Effect>;
  readonly #model: BudgetedModel<State, Input, Effect>;
  readonly #sets: BudgetSets;
  /**
   * For each bare state: the level for which it was listed last, and three sets: all budgets it was reached with, those of
   * this level, those of the next.
   */
  readonly #records = new Words();
  readonly #stride: number;
  /** The sets of the state in hand, moved by each price. */
  readonly #moved: Int32Array;
  /** The bare states of this level, and of the next. */
  #level = new Words();
  #nextLevel = new Words();
  #levelLength = 1;
  #nextLength = 0;
  #at = 0;
  #depth = 0;
  #states = 1;
  #edges = 0;
  readonly #goals: SweepGoals<State, Input, Effect>;
  #isSuspicious = false;
  #memoryBytes = defaultMemoryBytes;
  #stateLimit = Number.POSITIVE_INFINITY;

  constructor(model: BudgetedModel<State, Input, Effect>) {
    this.#model = model;
    this.graph = new BareGraph(model);
    this.#sets = new BudgetSets(model.budget);
    const { words } = this.#sets;
    this.#stride = 1 + 3 * words;
    this.#moved = new Int32Array(this.graph.prices * words);
    this.#goals = new SweepGoals(model.goals);
    this.#records.reserve(this.#stride, Number.POSITIVE_INFINITY);
    this.#sets.addWhole(this.#records.array, 1);
    this.#sets.addWhole(this.#records.array, 1 + words);
  }

  /** As `Explorer.run()`; limits are looked at between two bare states. */
  async run(options: RunOptions = {}): Promise<Swept<State, Input, Effect>> {
    const { memoryBytes = defaultMemoryBytes, stateLimit = Number.POSITIVE_INFINITY, signal, onProgress } = options;
    if (this.#isSuspicious) return null;
    this.#memoryBytes = memoryBytes;
    this.#stateLimit = stateLimit;
    const stop = await inSlices(() => this.#visitNext(), { signal, between: () => onProgress?.(this.progress()) });
    switch (stop) {
      case "suspicious":
        this.#isSuspicious = true;
        return null;
      case "aborted":
        return this.#result("incomplete", "stopped by its caller");
      case "full": {
        const limit =
          this.#states >= stateLimit ? `state limit of ${stateLimit}` : `memory limit of ${memoryBytes} bytes`;
        return this.#result("incomplete", `${limit} reached after ${this.#states} states at depth ${this.#depth}`);
      }
      case "end":
        return this.#result("proved", null);
    }
  }

  progress(): Progress {
    const waiting = this.#levelLength - this.#at + this.#nextLength;
    return { states: this.#states, waiting, edges: this.#edges, depth: this.#depth, bytes: this.bytes };
  }

  get bytes(): number {
    return this.graph.bytes + this.#records.bytes + this.#level.bytes + this.#nextLevel.bytes;
  }

  /** With how many budgets a bare state was reached. */
  budgetsOf(number: number): number {
    return countOf(this.#records.array, number * this.#stride + 1, this.#sets.words);
  }

  #visitNext(): Stop | null {
    if (this.#at === this.#levelLength) {
      if (this.#nextLength === 0) return "end";
      this.#enterLevel();
    }
    if (this.#states >= this.#stateLimit) return "full";
    const number = this.#level.array[this.#at] ?? 0;
    if (!this.graph.isAsked(number)) {
      const stop = this.#ask(number);
      if (stop !== null) return stop;
    }
    if (!this.#hasRoom()) return "full";
    this.#move(number);
    this.#at++;
    return null;
  }

  #enterLevel(): void {
    [this.#level, this.#nextLevel] = [this.#nextLevel, this.#level];
    [this.#levelLength, this.#nextLength] = [this.#nextLength, 0];
    this.#at = 0;
    this.#depth++;
    const records = this.#records.array;
    const { words } = this.#sets;
    for (let index = 0; index < this.#levelLength; index++) {
      const now = (this.#level.array[index] ?? 0) * this.#stride + 1 + words;
      for (let word = now; word < now + words; word++) {
        records[word] = records[word + words] ?? 0;
        records[word + words] = 0;
      }
    }
  }

  #ask(number: number): Stop | null {
    const { graph } = this;
    const waiting: Waiting[] = [];
    graph.explored.table.limit(this.#memoryBytes - (this.bytes - graph.explored.table.bytes), Number.POSITIVE_INFINITY);
    try {
      const asked = graph.ask(
        number,
        this.#goals.open,
        (place, price) => waiting.push({ place, price }),
        this.#spare(),
      );
      if (asked !== "asked") return asked;
    } catch (error) {
      // The plain exploration says what was thrown, and after which inputs.
      if (error instanceof Error) return "suspicious";
      throw error;
    }
    this.#goals.wait(number, waiting);
    return null;
  }

  /** For whatever an edge may lead to. */
  #hasRoom(): boolean {
    const { states } = this.graph.explored.table;
    return (
      this.#records.reserve(states * this.#stride, this.#spare()) && this.#nextLevel.reserve(states, this.#spare())
    );
  }

  #spare(): number {
    return this.#memoryBytes - this.bytes;
  }

  /** The hot path: every edge of a bare state, for all budgets it was reached with on this level. */
  #move(number: number): void {
    const { graph } = this;
    const { words } = this.#sets;
    const records = this.#records.array;
    const moved = this.#moved;
    const now = number * this.#stride + 1 + words;
    for (let price = 0; price < graph.prices; price++) {
      const inputs = graph.inputsAt(number, price);
      if (inputs === 0) continue;
      const at = price * words;
      if (price === free) for (let word = 0; word < words; word++) moved[word] = records[now + word] ?? 0;
      else this.#sets.spend(records, now, price - 1, moved, at);
      this.#edges += inputs * countOf(moved, at, words);
    }
    this.#goals.reach(number, this.#depth + 1, (price) => countOf(moved, price * words, words) > 0);
    const { edges, priceBits } = graph;
    const priceMask = (1 << priceBits) - 1;
    const first = graph.edgesAt(number) + 1;
    const end = first + (edges[first - 1] ?? 0);
    for (let edge = first; edge < end; edge++) {
      const packed = edges[edge] ?? 0;
      const from = (packed & priceMask) * words;
      const to = packed >>> priceBits;
      const record = to * this.#stride;
      let found = 0;
      for (let word = 0; word < words; word++) {
        const reached = record + 1 + word;
        const fresh = (moved[from + word] ?? 0) & ~(records[reached] ?? 0);
        if (fresh === 0) continue;
        records[reached] = (records[reached] ?? 0) | fresh;
        const next = reached + 2 * words;
        records[next] = (records[next] ?? 0) | fresh;
        found += ones(fresh);
      }
      if (found === 0) continue;
      this.#states += found;
      if (records[record] === this.#depth + 1) continue;
      records[record] = this.#depth + 1;
      this.#nextLevel.array[this.#nextLength++] = to;
    }
  }

  #result(outcome: "proved" | "incomplete", why: string | null): ModelResult<State, Input, Effect> {
    const { name, bounds } = this.#model;
    return {
      model: name,
      bounds,
      outcome,
      why,
      states: this.#states,
      edges: this.#edges,
      depth: this.#depth,
      goals: this.#goals.depths(),
      bytesPerState: this.bytes / this.#states,
      violation: null,
      counterexample: null,
    };
  }
}
