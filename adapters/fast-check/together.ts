import type { ExploreResult } from "../../repro/explore.ts";

type Held = Extract<ExploreResult, { readonly outcome: "held" }>;

/** What the explorations of many values come to together, where all of them hold. */
export class Together {
  readonly #goals = new Map<string, number>();
  readonly #ambiguous = new Set<string>();
  readonly #mistaken: Held["mistaken"][number][] = [];
  #executions = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(result: ExploreResult): void {
    this.#count++;
    this.#executions += result.executions;
    if (result.outcome !== "held") return;
    // A goal that one value cannot reach may be reached by another.
    for (const missing of result.reached.missing) this.#goals.set(missing, this.#goals.get(missing) ?? 0);
    for (const [goal, times] of Object.entries(result.reached.goals)) {
      this.#goals.set(goal, (this.#goals.get(goal) ?? 0) + times);
    }
    for (const name of result.ambiguous) this.#ambiguous.add(name);
    for (const mistaken of result.mistaken) {
      const known = this.#mistaken.some(({ first, then }) => first === mistaken.first && then === mistaken.then);
      if (!known) this.#mistaken.push(mistaken);
    }
  }

  /** No certificate, no estimate and no races: those are about one scenario, and each value is another. */
  held(seed: string, stopped: boolean): Held {
    const goals = [...this.#goals].sort(([one], [other]) => (one < other ? -1 : 1));
    return {
      outcome: "held",
      executions: this.#executions,
      certificate: null,
      mistaken: this.#mistaken,
      estimate: null,
      ended: stopped ? "stopped" : "spent",
      reached: {
        goals: Object.fromEntries(goals),
        missing: goals.flatMap(([goal, times]) => (times === 0 ? [goal] : [])),
      },
      races: { pairs: 0, bothOrders: 0, oneOrder: [] },
      seed,
      ambiguous: [...this.#ambiguous].sort(),
    };
  }
}
