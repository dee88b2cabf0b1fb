/** What must hold in one execution, and what must be reached by the campaign. */

import type { Violation } from "../result.ts";
import { userFrames } from "../stack.ts";
import { emptyList, emptyTable } from "./emptied.ts";
import { describeReason } from "./reasons.ts";

/** What a violation says beside its name and detail. */
export type Told = Pick<Violation, "why" | "declaredAt">;

export type Broken = { readonly name: string; readonly detail: string; readonly told: Told };

type Goal = { readonly name: string; readonly holds: () => unknown };
type Condition = Goal & {
  readonly why: string | undefined;
  /** Holds the stack of whoever declared it, where stacks are wanted; it is read only for a violation. */
  readonly declared: Error | null;
};

export class Conditions {
  readonly #always: Condition[] = [];
  readonly #quiescent: Condition[] = [];
  readonly #goals: Goal[] = [];
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

  always(name: string, holds: () => unknown, why?: string): void {
    this.#always.push({ name, holds, why, declared: declared() });
  }

  atQuiescence(name: string, holds: () => unknown, why?: string): void {
    this.#quiescent.push({ name, holds, why, declared: declared() });
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
function judge(condition: Condition): Broken | null {
  const { name, holds } = condition;
  const broken = (detail: string): Broken => ({ name, detail, told: toldOf(condition) });
  try {
    const answer = holds();
    if (answer === true) return null;
    if (typeof answer === "string") return broken(answer);
    if (answer === false) return broken("returned false");
    return broken(`expected true, false or a string, returned ${describeReason(answer)}`);
  } catch (error) {
    return broken(`threw ${describeReason(error)}`);
  }
}

function declared(): Error | null {
  return Error.stackTraceLimit > 0 ? new Error() : null;
}

function toldOf({ why, declared }: Condition): Told {
  const declaredAt = declared === null ? undefined : userFrames(declared.stack ?? "")[0]?.at;
  return { ...(why === undefined ? {} : { why }), ...(declaredAt === undefined ? {} : { declaredAt }) };
}

function isReached({ holds }: Goal): boolean {
  try {
    return holds() === true;
  } catch {
    return false;
  }
}
