/** What must hold in one execution, and what must be reached by the campaign. */

import { emptyList, emptyTable } from "./emptied.ts";
import { describeReason } from "./reasons.ts";

export type Broken = { readonly name: string; readonly detail: string };

type Condition = { readonly name: string; readonly holds: () => unknown };

export class Conditions {
  readonly #always: Condition[] = [];
  readonly #quiescent: Condition[] = [];
  readonly #goals: Condition[] = [];
  /** Actors and registered promises. A promise of an older execution settles an entry that is no longer here. */
  readonly #awaited: { readonly name: string; readonly promise: object; settled: boolean }[] = [];
  /** A condition is being asked: the world must not be changed by looking at it. */
  looking = false;
  /** Goals of this execution that were reached so far. */
  readonly reached = new Set<string>();

  reset(): void {
    emptyList(this.#always);
    emptyList(this.#quiescent);
    emptyList(this.#goals);
    emptyTable(this.reached);
    this.looking = false;
    emptyList(this.#awaited);
  }

  always(name: string, holds: () => unknown): void {
    this.#always.push({ name, holds });
  }

  atQuiescence(name: string, holds: () => unknown): void {
    this.#quiescent.push({ name, holds });
  }

  sometimes(name: string, holds: () => unknown): void {
    this.#goals.push({ name, holds });
  }

  /** Registers something that must settle before quiescence; returns what to call when it has. */
  unsettled(name: string, promise: object): () => void {
    const entry = { name, promise, settled: false };
    this.#awaited.push(entry);
    return () => {
      entry.settled = true;
    };
  }

  /** Checks the always conditions and looks for goals. Returns the first condition that does not hold. */
  check(): Broken | null {
    this.looking = true;
    const broken = this.#checkAll();
    this.looking = false;
    return broken;
  }

  #checkAll(): Broken | null {
    for (const condition of this.#always) {
      const broken = judge(condition);
      if (broken !== null) return broken;
    }
    for (const goal of this.#goals) {
      if (!this.reached.has(goal.name) && isReached(goal)) this.reached.add(goal.name);
    }
    return null;
  }

  quiescent(): Broken | null {
    this.looking = true;
    let broken: Broken | null = null;
    for (let at = 0; at < this.#quiescent.length && broken === null; at++) {
      const condition = this.#quiescent[at];
      broken = condition === undefined ? null : judge(condition);
    }
    this.looking = false;
    return broken;
  }

  /** Names of the goals that this execution declared. */
  goals(): readonly string[] {
    return this.#goals.map(({ name }) => name);
  }

  stuck(): readonly string[] {
    return this.waiting().map(({ name }) => name);
  }

  /** Who has not settled, with its promise. */
  waiting(): readonly { readonly name: string; readonly promise: object }[] {
    return this.#awaited.filter(({ settled }) => !settled);
  }
}

/** Only `true` holds. A condition that throws or returns something else is broken, and says so. */
function judge({ name, holds }: Condition): Broken | null {
  try {
    const answer = holds();
    if (answer === true) return null;
    if (typeof answer === "string") return { name, detail: answer };
    if (answer === false) return { name, detail: "returned false" };
    return { name, detail: `expected true, false or a string, returned ${describeReason(answer)}` };
  } catch (error) {
    return { name, detail: `threw ${describeReason(error)}` };
  }
}

function isReached({ holds }: Condition): boolean {
  try {
    return holds() === true;
  } catch {
    return false;
  }
}
