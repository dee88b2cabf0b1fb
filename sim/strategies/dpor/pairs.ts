/**
 * Which deliveries were taken for independent: of each pair of families the first two that were possible at one node. A
 * declaration that is wrong makes classes too large, so these are run in both orders before anything is certified.
 */
import { conflict } from "../../dependence.ts";
import type { TraceStep } from "../../execution.ts";
import type { IndependentPair } from "../../strategy.ts";
import type { Node } from "./path.ts";

/** Pairs of families; they bound how much a check costs. */
export const pairsMost = 200;
export const samplesMost = 2;

/** Where an execution's answers begin, see PathChooser. */
type Given = { readonly given: readonly number[]; readonly givenBefore: readonly number[] };

export class Pairs {
  readonly found: IndependentPair[] = [];
  /** Families → samples. */
  readonly #samples = new Map<string, number>();
  /** Names of deliveries that need no other look. */
  readonly #settled = new Set<string>();

  /** Looks at the nodes `from` … `count - 1` of an execution. */
  look(nodes: readonly Node[], steps: readonly TraceStep[], from: number, count: number, given: Given): void {
    for (let at = from; at < count; at++) {
      const node = nodes[at];
      if (node === undefined || node.possible.length < 2) continue;
      for (let later = at + 1; later < count; later++) {
        const step = steps[later];
        if (step !== undefined && node.possible.includes(step.name)) this.#lookAt(nodes, at, later, step, given);
      }
    }
  }

  #lookAt(nodes: readonly Node[], at: number, later: number, step: TraceStep, { given, givenBefore }: Given): void {
    const node = nodes[at];
    if (node === undefined || node.touching === null) return;
    const names = [node.name, step.name].sort().join(" ");
    if (this.#settled.has(names) || conflict(node.touching, step)) return;
    this.#settled.add(names);
    const families = [familyOf(node.name), familyOf(step.name)].sort().join(" ");
    const samples = this.#samples.get(families) ?? 0;
    if (samples >= samplesMost || (samples === 0 && this.#samples.size >= pairsMost)) return;
    this.#samples.set(families, samples + 1);
    this.found.push({
      first: node.name,
      then: step.name,
      at,
      prefix: given.slice(0, givenBefore[at]),
      answers: { first: node.answered(), then: nodes[later]?.answered() ?? [] },
    });
  }

  /** How many pairs of families there are samples of. */
  get size(): number {
    return this.#samples.size;
  }
}

export function familyOf(name: string): string {
  return name.slice(0, name.lastIndexOf("#"));
}
