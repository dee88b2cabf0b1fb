/** Runs every order of a scenario: each choice takes each of its options. No reduction, and no code of one. */
import type { Chooser } from "../../execution.ts";
import type { Told } from "./told.ts";
import { type Subject, toldAll } from "./told-all.ts";

/** Tells every execution; null when there are more than `most`. */
export async function everyOrder(subject: Subject, most: number): Promise<readonly Told[] | null> {
  const told = await toldAll(subject, most, () => {
    const path = new Path();
    let left = true;
    return {
      next: () => (left ? path.begin() : null),
      again: () => path.begin(),
      ended: () => {
        left = path.advance();
      },
    };
  });
  return told?.executions ?? null;
}

/** The choices of one execution; what was not chosen yet is 0. */
class Path implements Chooser {
  readonly measures = false;
  readonly #choices: { at: number; readonly of: number }[] = [];
  #depth = 0;

  begin(): this {
    this.#depth = 0;
    return this;
  }

  /** Takes the next option of the last choice that has one. False when none has. */
  advance(): boolean {
    for (let last = this.#choices.at(-1); last !== undefined; last = this.#choices.at(-1)) {
      if (++last.at < last.of) return true;
      this.#choices.pop();
    }
    return false;
  }

  delivery(_possible: unknown, count: number): number {
    return this.#choose(count);
  }

  data(_label: string, count: number): number {
    return this.#choose(count);
  }

  fault(_delivery: unknown, kinds: readonly string[]): number {
    return this.#choose(kinds.length);
  }

  companion(): number {
    return 0;
  }

  ticks(): number {
    return 1;
  }

  delivered(): void {}

  drained(): void {}

  #choose(of: number): number {
    const choice = this.#choices[this.#depth] ?? { at: 0, of };
    this.#choices[this.#depth++] = choice;
    return choice.at;
  }
}
