/**
 * Whether what is pending ever comes to an end. Judged on the states of a finished exploration, under weak fairness: an input
 * that is somebody's duty (the host answers) and stays possible is given in the end; any other (a user commands) may come
 * never, or for ever.
 *
 * An obligation is broken by a run that ends while it is pending, in a state where nothing is anybody's duty; or by a cycle
 * on which it is pending throughout, and each duty is done on the cycle or impossible somewhere on it. Inside one strongly
 * connected component a cycle can go everywhere, so such a cycle exists if and only if all of the component is one: no
 * cycle has to be searched for before the verdict is known.
 */
import { Components } from "./components.ts";
import { Cycle } from "./cycle.ts";
import type { Explored } from "./explored.ts";
import type { Explorer } from "./explorer.ts";
import { ModelError } from "./model.ts";
import { inSlices } from "./slices.ts";
import { lastOf, type Taken, type Trace, traceTo } from "./trace.ts";

export type Obligation<State> = { readonly name: string; pending(state: State): boolean };

export type Fairness<State, Input> = {
  readonly obligations: readonly Obligation<State>[];
  /** The name of the duty that an input does, or null if nobody has to give it. A duty is the same wherever it is named so. */
  duty(input: Input): string | null;
};

export type Lasso<State, Input, Effect> = {
  readonly obligation: string;
  readonly stem: Trace<State, Input, Effect>;
  /** What happens again and again after the stem; empty if nothing happens any more. */
  readonly cycle: readonly Taken<State, Input, Effect>[];
};

export type LivenessResult<State, Input, Effect> = {
  readonly outcome: "proved" | "violated" | "incomplete";
  readonly why: string | null;
  /** In how many states each obligation is pending. One that never is has been proved of nothing. */
  readonly pending: Readonly<Record<string, number>>;
  readonly violation: Lasso<State, Input, Effect> | null;
};

/** Proves nothing of an exploration that is not complete; what it finds there is broken all the same. */
export async function checkLiveness<State, Input, Effect>(
  { explored, complete }: Explorer<State, Input, Effect>,
  fairness: Fairness<State, Input>,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<LivenessResult<State, Input, Effect>> {
  if (explored.model.canonical !== undefined) {
    // The duties of two interchangeable actors would become one, and starving one of them would look fair.
    throw new ModelError(
      `Cannot judge liveness of "${explored.model.name}" under symmetry: explore it without canonical()`,
    );
  }
  const pending: Record<string, number> = {};
  for (const obligation of fairness.obligations) {
    const search = new Search(explored, obligation, fairness);
    const found = await inSlices(() => search.step(), { signal });
    pending[obligation.name] = search.pending;
    if (found === "aborted") return { outcome: "incomplete", why: "stopped by its caller", pending, violation: null };
    if (found !== "none") return { outcome: "violated", why: null, pending, violation: search.lasso(found) };
  }
  if (complete) return { outcome: "proved", why: null, pending, violation: null };
  return { outcome: "incomplete", why: "not every state has been visited", pending, violation: null };
}

/** Where an obligation stays pending: at a dead end, or for ever on a cycle. */
export type Stuck<State, Input, Effect> = { readonly at: number; readonly cycle: Cycle<State, Input, Effect> | null };

/** One obligation. The graph is that of the states in which it is pending. */
export class Search<State, Input, Effect> {
  readonly #explored: Explored<State, Input, Effect>;
  readonly #obligation: Obligation<State>;
  readonly #fairness: Fairness<State, Input>;
  readonly #components: Components;
  /** `isPending` and `hasLoop`, which is known of a state when its successors are. */
  readonly #marks: Uint8Array;
  #marked = 0;
  /** The first dead end, which is also the nearest. */
  #dead: number | null = null;
  pending = 0;

  constructor(
    explored: Explored<State, Input, Effect>,
    obligation: Obligation<State>,
    fairness: Fairness<State, Input>,
  ) {
    this.#explored = explored;
    this.#obligation = obligation;
    this.#fairness = fairness;
    const nodes = explored.table.states;
    this.#marks = new Uint8Array(nodes);
    this.#components = new Components({
      nodes,
      isRoot: (node) => this.#has(node, isPending),
      successors: (node, push) => this.#open(node, push),
    });
  }

  /** One piece of the work; null while there is more. */
  step(): Stuck<State, Input, Effect> | "none" | null {
    if (this.#marked < this.#marks.length) {
      this.#mark(this.#marked++);
      return null;
    }
    if (this.#dead !== null) return { at: this.#dead, cycle: null };
    const component = this.#components.step();
    if (component === null || component === "none") return component;
    if (component.length === 1 && !component.some((node) => this.#has(node, hasLoop))) return null;
    const cycle = new Cycle(this.#explored, (input) => this.#fairness.duty(input), component);
    if (!cycle.isFair()) return null;
    // Numbers grow with depth: the smallest has the shortest stem.
    return { at: component.reduce((one, other) => Math.min(one, other)), cycle };
  }

  #mark(node: number): void {
    const state = this.#explored.stateAt(node);
    if (!this.#obligation.pending(state)) return;
    this.#marks[node] = isPending;
    this.pending++;
    const dutiful = this.#explored.inputsOf(state).some((input) => this.#fairness.duty(input) !== null);
    if (!dutiful) this.#dead ??= node;
  }

  #open(node: number, push: (node: number) => void): void {
    const { model } = this.#explored;
    const state = this.#explored.stateAt(node);
    for (const input of this.#explored.inputsOf(state)) {
      const next = this.#explored.find(model.step(state, input).state);
      if (next === node) this.#marks[node] = isPending | hasLoop;
      else if (next >= 0 && this.#has(next, isPending)) push(next);
    }
  }

  isPending(node: number): boolean {
    return this.#has(node, isPending);
  }

  /** Asks the plain reducer again: its answer is the verdict. */
  lasso({ at, cycle: found }: Stuck<State, Input, Effect>): Lasso<State, Input, Effect> {
    const { model } = this.#explored;
    const cycle = found === null ? [] : found.from(at);
    const stem = traceTo(this.#explored, at);
    let state = lastOf(stem);
    let pending = this.#obligation.pending(state);
    for (const { input } of cycle) {
      state = model.step(state, input).state;
      pending &&= this.#obligation.pending(state);
    }
    if (!pending || this.#explored.find(state) !== at) {
      throw new ModelError(`Cannot replay the cycle of "${this.#obligation.name}" in "${model.name}"`);
    }
    return { obligation: this.#obligation.name, stem, cycle };
  }

  #has(node: number, mark: number): boolean {
    return ((this.#marks[node] ?? 0) & mark) !== 0;
  }
}

const isPending = 1;
const hasLoop = 2;
