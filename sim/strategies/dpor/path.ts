/**
 * The path of the tree of executions that is being walked: a node for each delivery, with what else could have been
 * delivered, what has to be tried of it, and who sleeps. Depth-first: the last node that has something left goes on.
 */
import type { Touching } from "../../dependence.ts";
import { Sleepers, type Variant } from "./sleepers.ts";

/** A choice of data or of a fault; all of its options are run. */
export type Answer = { choice: number; readonly count: number };

export class Node {
  readonly possible: readonly string[];
  /** Asleep when the node was reached, and since then each delivery that was tried. */
  readonly asleep: Sleepers;
  /** What has to be delivered here, in order of finding that out; what was delivered already included. */
  readonly demanded: Set<string>;
  /** The delivery under way. */
  name: string;
  /** What it was answered, its fault first. */
  readonly answers: Answer[] = [];
  /** What it touches with these answers; known once it has run. */
  touching: Touching | null = null;
  /** The delivery with other answers, once everything behind those was run. */
  #finished: Variant[] = [];

  constructor(possible: readonly string[], asleep: Sleepers, name: string) {
    this.possible = possible;
    this.asleep = asleep;
    this.name = name;
    this.demanded = new Set([name]);
  }

  answered(): number[] {
    return this.answers.map(({ choice }) => choice);
  }

  /** True when the option was run before, from where this delivery fell asleep. */
  repeats(option: number): boolean {
    return this.asleep.hasVariant(this.name, [...this.answered(), option]);
  }

  /** Everything behind this delivery and its answers was run: takes the next answers, or the next delivery. False: none. */
  advance(): boolean {
    const { touching } = this;
    const answers = this.answered();
    if (touching !== null && !this.asleep.hasVariant(this.name, answers)) this.#finished.push({ answers, touching });
    this.touching = null;
    if (advanceAnswers(this.answers, (option) => this.repeats(option))) return true;
    this.asleep.add(this.name, this.#finished);
    this.#finished = [];
    for (const name of this.demanded) {
      if (this.asleep.has(name)) continue;
      this.name = name;
      return true;
    }
    return false;
  }
}

export class Path {
  /** Choices of data in the scenario's body, before the first delivery. */
  readonly opening: Answer[] = [];
  readonly nodes: Node[] = [];
  /** The first node that differs from the execution before. */
  fresh = 0;

  /** Moves on to the next execution. False when there is none. */
  advance(): boolean {
    const { nodes } = this;
    for (let last = nodes.at(-1); last !== undefined; last = nodes.at(-1)) {
      this.fresh = nodes.length - 1;
      if (last.advance()) return true;
      nodes.pop();
    }
    this.fresh = 0;
    return advanceAnswers(this.opening, () => false);
  }

  /** Adds the node of a delivery. Its own sleepers: they become more as the node goes on. */
  push(possible: readonly string[], asleep: Sleepers, name: string): void {
    this.nodes.push(new Node(possible, asleep, name));
  }

  /** Who sleeps at the next node, after the last one's delivery. */
  sleepers(touching: () => Touching): Sleepers {
    const last = this.nodes.at(-1);
    return last === undefined ? new Sleepers() : last.asleep.after(last.name, touching);
  }
}

/** Gives the last answer that has an option left its next one; drops those behind it. */
function advanceAnswers(answers: Answer[], passes: (option: number) => boolean): boolean {
  for (let last = answers.pop(); last !== undefined; last = answers.pop()) {
    let option = last.choice + 1;
    while (option < last.count && passes(option)) option++;
    if (option >= last.count) continue;
    answers.push({ choice: option, count: last.count });
    return true;
  }
  return false;
}
