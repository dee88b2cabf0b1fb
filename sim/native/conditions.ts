/** What must hold in one execution, and what must be reached by the campaign. */

import type { Violation } from "../result.ts";
import { ScenarioError } from "../scenario.ts";
import { userFrames } from "../stack.ts";
import { emptyList, emptyTable } from "./emptied.ts";
import { describeReason, isMistake } from "./reasons.ts";
import { isThenable } from "./thenable.ts";

/** What a violation says beside its name and detail. */
export type Told = Pick<Violation, "why" | "declaredAt">;

export type Broken = {
  readonly name: string;
  readonly detail: string;
  readonly told: Told;
  /** The condition itself is written wrongly, so that nothing is known of the code under test. */
  readonly mistake: ScenarioError | null;
};

type Goal = { readonly name: string; readonly holds: () => unknown };
type Condition = Goal & {
  readonly when: "always" | "atQuiescence";
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
  /** The one condition that is judged; null: all of them. */
  readonly only: string | null;
  /** A condition is being asked: the world must not be changed by looking at it. */
  looking = false;
  /** Goals of this execution that were reached so far. */
  readonly reached = new Set<string>();

  constructor(only: string | null = null) {
    this.only = only;
  }

  reset(): void {
    emptyList(this.#always);
    emptyList(this.#quiescent);
    emptyList(this.#goals);
    emptyTable(this.reached);
    this.looking = false;
    emptyList(this.#awaited);
  }

  always(name: string, holds: () => unknown, why?: string): void {
    if (this.only !== null && this.only !== name) return;
    this.#always.push({ when: "always", name, holds, why, declared: declared() });
  }

  atQuiescence(name: string, holds: () => unknown, why?: string): void {
    if (this.only !== null && this.only !== name) return;
    this.#quiescent.push({ when: "atQuiescence", name, holds, why, declared: declared() });
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
      if (this.reached.has(goal.name)) continue;
      const reached = isReached(goal);
      if (reached instanceof ScenarioError) {
        return { name: goal.name, detail: reached.message, told: {}, mistake: reached };
      }
      if (reached) this.reached.add(goal.name);
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

/** Only `true` holds. What throws is broken; what answers otherwise was asked in a way that tells nothing. */
function judge(condition: Condition): Broken | null {
  const { when, name, holds } = condition;
  const broken = (detail: string, mistake: ScenarioError | null = null): Broken => ({
    ...{ name, detail, mistake },
    told: toldOf(condition),
  });
  try {
    const answer = holds();
    if (answer === true) return null;
    if (typeof answer === "string") return broken(answer);
    if (answer === false) return broken("returned false");
    const mistake = wrongAnswer(`${when} "${name}"`, "true, false or a string (what it saw)", answer);
    return broken(mistake.message, mistake);
  } catch (error) {
    return broken(`threw ${describeReason(error)}`, isMistake(error) ? error : null);
  }
}

function declared(): Error | null {
  return Error.stackTraceLimit > 0 ? new Error() : null;
}

function toldOf({ why, declared }: Condition): Told {
  const declaredAt = declared === null ? undefined : userFrames(declared.stack ?? "")[0]?.at;
  return { ...(why === undefined ? {} : { why }), ...(declaredAt === undefined ? {} : { declaredAt }) };
}

/** A goal that throws looks at what is not there yet. */
function isReached({ name, holds }: Goal): boolean | ScenarioError {
  try {
    const answer = holds();
    return typeof answer === "boolean" ? answer : wrongAnswer(`sometimes "${name}"`, "true or false", answer);
  } catch (error) {
    return isMistake(error) ? error : false;
  }
}

/** Called a race, this would send its reader to the code under test. */
function wrongAnswer(condition: string, expected: string, answer: unknown): ScenarioError {
  const must = `Cannot check ${condition}: a condition must be synchronous and return ${expected}, and it returned`;
  if (silenced(answer)) {
    return new ScenarioError(`${must} a promise; await in an actor, and let the condition look at what came of it`);
  }
  if (answer === undefined) {
    return new ScenarioError(`${must} undefined; return what must hold, as in () => count === 2`);
  }
  return new ScenarioError(`${must} ${describeReason(answer)}; return a comparison of it, as in () => count === 2`);
}

/** True for a promise; nobody will await it, and its rejection would end the process. */
function silenced(answer: unknown): boolean {
  try {
    if (!isThenable(answer)) return false;
    answer.then(undefined, () => undefined);
    return true;
  } catch {
    return false;
  }
}
