/**
 * Strict replay follows recorded choices to the letter. It never clamps: the first step that no longer fits is
 * remembered, and from there on the first-come schedule runs, whose outcome says nothing about the recorded one.
 */
import type { Chooser, PossibleDelivery } from "../sim/execution.ts";
import type { RecordedChoices } from "./choices.ts";
import type { RecordedStep } from "./packed-steps.ts";
import { quoted } from "./quoted.ts";

export type FirstDifference = {
  /** Counted from 1. */
  readonly step: number;
  readonly recorded: string;
  readonly now: string;
};

export const theEnd = "the end of the execution";

export class StrictChooser implements Chooser {
  readonly measures: boolean = false;
  readonly #recorded: RecordedChoices;
  #difference: FirstDifference | null = null;
  /** Deliveries placed so far; also the index of the step that comes next. */
  #placed = 0;
  #dataAt = 0;
  /** How the delivery that comes next was asked for; forced when the engine had no choice. */
  #asked: "forced" | "chosen" | "late" = "forced";
  #faultAsked = false;

  constructor(recorded: RecordedChoices) {
    this.#recorded = recorded;
  }

  delivery(possible: readonly PossibleDelivery[], count: number): number {
    const step = this.#next();
    if (this.#difference !== null) return 0;
    const now = (index: number): string => describe(possible[index]?.name ?? "", count);
    if (step === undefined) return this.#differ(theEnd, now(0));
    const fits = possible[step.chosen]?.name === step.name && step.chosen < count;
    if (!fits || step.possible !== count || step.tick > 0) {
      return this.#differ(describeStep(step), now(step.chosen < count ? step.chosen : 0));
    }
    this.#asked = "chosen";
    return step.chosen;
  }

  companion(candidates: readonly PossibleDelivery[], count: number, _after: PossibleDelivery): number {
    const step = this.#next();
    if (this.#difference !== null || step === undefined || step.tick === 0) return 0;
    const candidate = step.chosen < count ? candidates[step.chosen] : undefined;
    if (candidate?.name !== step.name || step.possible !== count) {
      return this.#differ(describeStep(step), describe((candidate ?? candidates[0])?.name ?? "", count));
    }
    this.#asked = "late";
    return step.chosen + 1;
  }

  ticks(most: number, companion: PossibleDelivery): number {
    const step = this.#next();
    if (this.#difference !== null || step === undefined) return 1;
    if (step.tick <= most) return step.tick;
    this.#differ(describeStep(step), `${quotedName(companion.name)} at most ${ticks(most)} in`);
    return 1;
  }

  data(label: string, count: number): number {
    if (this.#difference !== null) return 0;
    const index = this.#recorded.data[this.#dataAt++];
    const now = `a choice of ${quoted(label)} among ${count}`;
    if (index === undefined) return this.#differ("no choice of data", now);
    if (index >= count) return this.#differ(`a choice of data that took option ${index}`, now);
    return index;
  }

  fault(delivery: PossibleDelivery, kinds: readonly ("none" | "fail" | "hang")[]): number {
    const step = this.#next();
    this.#faultAsked = true;
    if (this.#difference !== null || step === undefined || step.name !== delivery.name) return 0;
    const index = kinds.indexOf(step.fault ?? "none");
    if (index >= 0) return index;
    return this.#differ(describeStep(step), `${quotedName(delivery.name)} that cannot ${step.fault}`);
  }

  delivered(delivery: PossibleDelivery): void {
    if (this.#difference === null) this.#compare(delivery.name, this.#next());
    this.#placed++;
    this.#asked = "forced";
    this.#faultAsked = false;
  }

  drained(_ticks: number): void {}

  /** Tells the first step that no longer fits, once the execution has ended; null when all of it did. */
  firstDifference(): FirstDifference | null {
    const step = this.#next();
    if (step !== undefined) this.#differ(describeStep(step), theEnd);
    const unread = this.#recorded.data.length - this.#dataAt;
    if (unread > 0) this.#differ(`${unread} more of the choices of data`, theEnd);
    return this.#difference;
  }

  #next(): RecordedStep | undefined {
    return this.#recorded.steps[this.#placed];
  }

  #compare(name: string, step: RecordedStep | undefined): void {
    if (step === undefined) {
      this.#differ(theEnd, describe(name, 1));
      return;
    }
    const forced = this.#asked === "forced";
    // A late arrival is always asked for, so a forced delivery is the only possible one, on an empty queue.
    if (step.name !== name || (forced && (step.possible > 1 || step.tick > 0))) {
      this.#differ(describeStep(step), describe(name, forced ? 1 : step.possible));
    } else if (step.fault !== null && !this.#faultAsked) {
      this.#differ(describeStep(step), `${quotedName(name)} that cannot ${step.fault}`);
    }
  }

  /** Remembers the first difference; answers 0, the first-come choice. */
  #differ(recorded: string, now: string): number {
    this.#difference ??= { step: this.#placed + 1, recorded, now };
    return 0;
  }
}

/** A step in words, on one line. */
export function describeStep(step: RecordedStep): string {
  const late = step.tick > 0 ? `, ${ticks(step.tick)} in` : "";
  const fault = step.fault === null ? "" : `, made to ${step.fault}`;
  return `${describe(step.name, step.possible)}${late}${fault}`;
}

function describe(name: string, possible: number): string {
  return `${quotedName(name)}, ${possible} possible`;
}

function ticks(count: number): string {
  return count === 1 ? "1 tick" : `${count} ticks`;
}

/** A name as it stands, where it can stand on one line. */
function quotedName(name: string): string {
  return quoted(name).slice(1, -1);
}
