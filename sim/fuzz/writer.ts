/** What the parts of the program generator share: numbers for labels, a budget, the functions and variables in sight. */
import type { Draws } from "./draws.ts";

/** What a call of the function gives: a promise, an async generator, a generator. */
export type FunctionKind = "async" | "generator" | "sync generator";

/** Where a piece of text will stand. */
export type Place = {
  /** Index of the function around it; only later ones are called, so that nothing recurses. */
  readonly within: number;
  readonly depth: number;
  readonly in: "async" | "generator" | "sync generator" | "plain";
};

const deepest = 4;

export class Writer {
  readonly draws: Draws;
  readonly functions: readonly FunctionKind[];
  /** The program uses timers. */
  readonly timed: boolean;
  /** The program may leave a rejection unhandled, or throw where nobody catches. */
  readonly loose: boolean;
  readonly variables: string[] = [];
  budget = 0;
  #labels = 0;

  constructor(draws: Draws, functions: readonly FunctionKind[], traits: { timed: boolean; loose: boolean }) {
    this.draws = draws;
    this.functions = functions;
    this.timed = traits.timed;
    this.loose = traits.loose;
  }

  label(): number {
    return ++this.#labels;
  }

  /** True when only the simplest may still be written at this place; takes one from the budget. */
  spent(place: Place): boolean {
    return this.budget-- <= 0 || place.depth > deepest;
  }

  /** A call of some later function of one of these kinds, or null. */
  call(place: Place, kinds: readonly FunctionKind[]): string | null {
    const indexes = this.functions.flatMap((kind, index) =>
      index > place.within && kinds.includes(kind) ? [index] : [],
    );
    const index = indexes[this.draws.below(Math.max(indexes.length, 1))];
    return index === undefined ? null : `f${index}(${this.draws.below(10)})`;
  }

  /** Marks a promise as handled; a loose program forgets it now and then. */
  keep(expression: string): string {
    return this.loose && this.draws.oneIn(8) ? expression : `K(${expression})`;
  }
}

export function deeper(place: Place, into: Place["in"] = place.in): Place {
  return { ...place, depth: place.depth + 1, in: into };
}

export function awaits(place: Place): boolean {
  return place.in === "async" || place.in === "generator";
}

/** Braces around statements, one level further in. */
export function block(statements: string): string {
  return `{\n  ${statements.replaceAll("\n", "\n  ")}\n}`;
}
