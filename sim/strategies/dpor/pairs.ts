/**
 * Which deliveries were taken for independent: of each pair of families the first two that were possible at one node. A
 * declaration that is wrong makes classes too large, so these are run in both orders before anything is certified.
 */
import { conflict } from "../../dependence.ts";
import type { Execution, TraceStep } from "../../execution.ts";
import type { IndependentPair } from "../../strategy.ts";
import type { Node } from "./path.ts";

/** Pairs of families; they bound how much a check costs. */
export const pairsMost = 200;
export const samplesMost = 2;

/** A node, as far as pairs go. */
type Place = Pick<Node, "name" | "possible" | "touching" | "answered">;

/** Where an execution's answers begin, see PathChooser. */
type Given = { readonly given: readonly number[]; readonly givenBefore: readonly number[] };

export class Pairs {
  readonly found: IndependentPair[] = [];
  /** Families → samples. */
  readonly #samples = new Map<string, number>();
  /** Names of deliveries that need no other look. */
  readonly #settled = new Set<string>();
  readonly #most: number;

  constructor(most = pairsMost) {
    this.#most = most;
  }

  /** Looks at the nodes `from` … `count - 1` of an execution. */
  look(nodes: readonly Place[], steps: readonly TraceStep[], from: number, count: number, given: Given): void {
    for (let at = from; at < count; at++) {
      const node = nodes[at];
      if (node === undefined || node.possible.length < 2) continue;
      for (let later = at + 1; later < count; later++) {
        const step = steps[later];
        if (step !== undefined && node.possible.includes(step.name)) this.lookAt(nodes, at, later, step, given);
      }
    }
  }

  /** Looks at the node `at`, and at the delivery that was possible there and came `later`. */
  lookAt(nodes: readonly Place[], at: number, later: number, step: TraceStep, given: Given): void {
    const node = nodes[at];
    if (node === undefined || node.touching === null) return;
    const names = [node.name, step.name].sort().join(" ");
    if (this.#settled.has(names) || conflict(node.touching, step)) return;
    this.#settled.add(names);
    const families = [familyOf(node.name), familyOf(step.name)].sort().join(" ");
    const samples = this.#samples.get(families) ?? 0;
    if (samples >= samplesMost || (samples === 0 && this.#samples.size >= this.#most)) return;
    this.#samples.set(families, samples + 1);
    this.found.push({
      first: node.name,
      then: step.name,
      at,
      prefix: given.given.slice(0, given.givenBefore[at]),
      answers: { first: node.answered(), then: nodes[later]?.answered() ?? [] },
    });
  }

  /** How many pairs of families there are samples of. */
  get size(): number {
    return this.#samples.size;
  }
}

/**
 * The pairs of the first-come execution, of at most `most` pairs of families. Where the classes do not fit into the budget
 * nothing is certified, but estimates, race coverage and partial order sampling rest on what is declared all the same.
 *
 * Of a pair the second one depends on nothing in between, so that both orders are of the class of that execution: what is
 * declared rightly shows nothing here that the search has missed.
 */
export function firstComePairs({ steps }: Execution, most: number): readonly IndependentPair[] {
  const pairs = new Pairs(Math.min(most, pairsMost));
  // Every answer is the first-come one, which is what a missing one stands for.
  const places = steps.map((step): Place => ({ ...step, touching: step, answered: () => [] }));
  for (const [later, step] of steps.entries()) {
    for (let at = later - 1; at >= 0; at--) {
      const other = steps[at];
      if (other === undefined || conflict(other, step)) break;
      if (other.possible.includes(step.name)) pairs.lookAt(places, at, later, step, firstComeAnswers);
    }
  }
  const names = steps.map(({ name }) => name);
  return pairs.found.map((pair) => ({ ...pair, rest: names.slice(pair.at + 1).filter((name) => name !== pair.then) }));
}

const firstComeAnswers: Given = { given: [], givenBefore: [] };

export function familyOf(name: string): string {
  return name.slice(0, name.lastIndexOf("#"));
}
