/** The goals of a sweep: which are open, and which wait at an edge until somebody can pay for it. */
import type { Price } from "./bare-graph.ts";
import type { Goal } from "./model.ts";

export type OpenGoal<State, Input, Effect> = { readonly goal: Goal<State, Input, Effect>; readonly place: number };
export type Waiting = { readonly place: number; readonly price: Price };

export class SweepGoals<State, Input, Effect> {
  readonly #goals: readonly Goal<State, Input, Effect>[];
  readonly #depths: (number | null)[];
  readonly #waiting = new Map<number, readonly Waiting[]>();
  #open: readonly OpenGoal<State, Input, Effect>[];

  constructor(goals: readonly Goal<State, Input, Effect>[]) {
    this.#goals = goals;
    this.#depths = goals.map(() => null);
    this.#open = goals.map((goal, place) => ({ goal, place }));
  }

  /** Those that nobody has reached yet. */
  get open(): readonly OpenGoal<State, Input, Effect>[] {
    return this.#open;
  }

  /** At edges of this bare state. */
  wait(bare: number, waiting: readonly Waiting[]): void {
    if (waiting.length > 0) this.#waiting.set(bare, waiting);
  }

  /** What can be paid for at a bare state is reached at this depth. Levels come in order, so the first time is the nearest. */
  reach(bare: number, depth: number, isPaid: (price: Price) => boolean): void {
    const waiting = this.#waiting.get(bare);
    if (waiting === undefined) return;
    const dear = waiting.filter(({ place, price }) => {
      if (this.#depths[place] === null && isPaid(price)) this.#depths[place] = depth;
      return this.#depths[place] === null;
    });
    if (dear.length === 0) this.#waiting.delete(bare);
    else this.#waiting.set(bare, dear);
    this.#open = this.#open.filter(({ place }) => this.#depths[place] === null);
  }

  /** By name, the depth of each. */
  depths(): Readonly<Record<string, number | null>> {
    return Object.fromEntries(this.#goals.map(({ name }, place) => [name, this.#depths[place] ?? null]));
  }
}
