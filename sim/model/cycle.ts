/** A strongly connected component under weak fairness: whether one can stay in it for ever, and a cycle that does. */
import type { Explored } from "./explored.ts";
import type { Taken } from "./trace.ts";

type Edge = {
  readonly to: number;
  /** The input's place among those of the state. */
  readonly place: number;
  readonly duty: string | null;
};
type Exits = {
  /** Those that stay in the component. */
  readonly edges: readonly Edge[];
  /** Duties that can be done here, inside or not. */
  readonly duties: ReadonlySet<string>;
};
type Hop = { readonly node: number; readonly edge: Edge };

export class Cycle<State, Input, Effect> {
  readonly #explored: Explored<State, Input, Effect>;
  readonly #duty: (input: Input) => string | null;
  readonly #members: ReadonlySet<number>;

  constructor(
    explored: Explored<State, Input, Effect>,
    duty: (input: Input) => string | null,
    members: readonly number[],
  ) {
    this.#explored = explored;
    this.#duty = duty;
    this.#members = new Set(members);
  }

  /** Every duty that is possible in all of the component is done somewhere in it. */
  isFair(): boolean {
    let open: ReadonlySet<string> | null = null;
    const done = new Set<string>();
    for (const node of this.#members) {
      const { edges, duties } = this.#exits(node);
      for (const { duty } of edges) if (duty !== null) done.add(duty);
      const before: ReadonlySet<string> = open ?? duties;
      open = new Set([...before].filter((duty) => duties.has(duty) && !done.has(duty)));
      if (open.size === 0) return true;
    }
    return false;
  }

  /** A fair cycle from a member to itself. Only for a fair component. */
  from(first: number): readonly Taken<State, Input, Effect>[] {
    const hops: Hop[] = [];
    const here = () => hops.at(-1)?.edge.to ?? first;
    for (const duty of this.#exits(first).duties) {
      const impossible = (node: number) => !this.#exits(node).duties.has(duty);
      const settled = hops.some(({ node, edge }) => edge.duty === duty || impossible(node) || impossible(edge.to));
      if (!settled) hops.push(...this.#way(here(), ({ edge }) => edge.duty === duty || impossible(edge.to)));
    }
    if (hops.length === 0 || here() !== first) hops.push(...this.#way(here(), ({ edge }) => edge.to === first));
    return hops.map((hop) => this.#taken(hop));
  }

  /** The shortest way whose last hop is wanted. */
  #way(from: number, wanted: (hop: Hop) => boolean): readonly Hop[] {
    const reachedBy = new Map<number, Hop | null>([[from, null]]);
    // A map gives what is added while one walks through it: it is its own queue.
    for (const node of reachedBy.keys()) {
      for (const edge of this.#exits(node).edges) {
        const hop = { node, edge };
        if (wanted(hop)) {
          const way = [hop];
          for (let back = reachedBy.get(node); back; back = reachedBy.get(back.node)) way.unshift(back);
          return way;
        }
        if (!reachedBy.has(edge.to)) reachedBy.set(edge.to, hop);
      }
    }
    throw new Error("Broken assertion: a fair component has a way to each of its duties and members");
  }

  #exits(node: number): Exits {
    const { model } = this.#explored;
    const state = this.#explored.stateAt(node);
    const edges: Edge[] = [];
    const duties = new Set<string>();
    for (const [place, input] of this.#explored.inputsOf(state).entries()) {
      const duty = this.#duty(input);
      if (duty !== null) duties.add(duty);
      const to = this.#explored.find(model.step(state, input).state);
      if (this.#members.has(to)) edges.push({ to, place, duty });
    }
    return { edges, duties };
  }

  #taken({ node, edge }: Hop): Taken<State, Input, Effect> {
    const { model } = this.#explored;
    const before = this.#explored.stateAt(node);
    const input = this.#explored.inputsOf(before)[edge.place];
    if (input === undefined) throw new Error("Broken assertion: inputs() gave more a moment ago");
    const { state, effects } = model.step(before, input);
    return { input, text: model.describe(input), effects, state };
  }
}
