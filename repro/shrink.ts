/**
 * Makes a failing schedule small: delta debugging (Zeller and Hildebrandt, 2002) jointly over faults, orderings, late
 * arrivals and data, again and again until nothing single can be taken away. What counts as the same failure is the
 * kind and the name of the violation.
 *
 * Late arrivals are tried away first, because a failure without them exists at the stronger level `spec`: a bug with
 * three orderings is worth more than a fragility with one.
 */
import type { Execution } from "../sim/execution.ts";
import type { Fault, Ordering, Violation } from "../sim/result.ts";
import type { Schedule } from "../sim/schedule.ts";
import { briefScheduleOf, overtakersOf, turnedPairs, withoutTrailingZeros } from "./orderings.ts";
import { reduce } from "./reduce.ts";

/** How many single orderings are tried in place of several. */
const singlesLimit = 100;

/** Runs one schedule; the scenario, its script and the settings are the runner's. */
export type Runs = (schedule: Schedule) => Promise<Execution>;

export type Shrunk = {
  readonly schedule: Schedule;
  /** The schedule's own execution. */
  readonly execution: Execution;
  readonly executions: number;
  /** False when the limit ended the shrinking, so that more could perhaps be taken away. */
  readonly minimal: boolean;
};

/** Shrinks a failing execution; null when its own schedule does not fail again. At most `limit` executions. */
export async function shrink(failing: Execution, runs: Runs, limit: number): Promise<Shrunk | null> {
  if (failing.violation === null) return null;
  const shrinking = new Shrinking(failing, failing.violation, runs, limit);
  if (!(await shrinking.fails(briefScheduleOf(failing)))) return null;
  await shrinking.toMinimum();
  return shrinking.result();
}

export function isSameViolation(one: Violation, other: Violation | null): boolean {
  return other !== null && one.kind === other.kind && one.name === other.name;
}

class Shrinking {
  readonly #violation: Violation;
  readonly #runs: Runs;
  readonly #limit: number;
  readonly #tried = new Set<string>();
  #schedule: Schedule;
  #execution: Execution;
  #executions = 0;
  #limited = false;

  constructor(failing: Execution, violation: Violation, runs: Runs, limit: number) {
    this.#violation = violation;
    this.#runs = runs;
    this.#limit = limit;
    this.#schedule = briefScheduleOf(failing);
    this.#execution = failing;
  }

  result(): Shrunk {
    const [schedule, execution] = [this.#schedule, this.#execution];
    return { schedule, execution, executions: this.#executions, minimal: !this.#limited };
  }

  /** Tells whether the schedule fails in the same way; if so, it is the new best. */
  async fails(schedule: Schedule): Promise<boolean> {
    if (this.#executions >= this.#limit) {
      this.#limited = true;
      return false;
    }
    const key = JSON.stringify(schedule);
    // One that was tried and failed is the best already, or was left behind for a smaller one.
    if (this.#tried.has(key)) return false;
    this.#tried.add(key);
    this.#executions++;
    const execution = await this.#runs(schedule);
    if (!isSameViolation(this.#violation, execution.violation)) return false;
    this.#schedule = schedule;
    this.#execution = execution;
    return true;
  }

  async toMinimum(): Promise<void> {
    await this.#withoutAnyLate();
    let before: Schedule;
    do {
      before = this.#schedule;
      await this.#reduceFaults();
      await this.#reduceOrderings();
      await this.#tighten();
      await this.#findOne();
      await this.#reduceLate();
      await this.#reduceData();
    } while (this.#schedule !== before && !this.#limited);
  }

  async #withoutAnyLate(): Promise<void> {
    const late = this.#schedule.faults.flatMap(({ at, kind }) => (kind === "late" ? [at] : []));
    if (late.length > 0) await this.#withoutLate(new Set(late));
  }

  async #reduceFaults(): Promise<void> {
    const late = this.#schedule.faults.filter(({ kind }) => kind === "late");
    const others = this.#schedule.faults.filter(({ kind }) => kind !== "late");
    await reduce(others, (kept) => this.fails({ ...this.#schedule, faults: [...late, ...kept] }));
  }

  async #reduceOrderings(): Promise<void> {
    await reduce(this.#schedule.orderings, (orderings) => this.fails({ ...this.#schedule, orderings }));
  }

  /**
   * Replaces `first` by the earliest delivery for which holding `then` is enough. This says more precisely what
   * matters, and leaves no ordering whose `first` did not run: the last that overtook `then` always does.
   */
  async #tighten(): Promise<void> {
    for (const ordering of this.#schedule.orderings) {
      for (const first of overtakersOf(this.#execution, ordering.then)) {
        if (first === ordering.first) break;
        const orderings = this.#schedule.orderings.map((each) =>
          each === ordering ? { first, then: each.then } : each,
        );
        if (await this.fails({ ...this.#schedule, orderings })) break;
      }
    }
  }

  /**
   * Looks for one ordering that does the work of several. A minimum of two is often the mirror image of a simpler
   * failure, in which the other side comes first; it is among the pairs that this execution has in another order than
   * the first-come one, and most often the two stand close.
   */
  async #findOne(): Promise<void> {
    if (this.#schedule.orderings.length < 2 || this.#executions >= this.#limit) return;
    this.#executions++;
    const firstCome = await this.#runs({ ...this.#schedule, orderings: [] });
    for (const ordering of turnedPairs(this.#execution, firstCome, singlesLimit)) {
      if (await this.fails({ ...this.#schedule, orderings: [ordering] })) return;
    }
  }

  async #reduceLate(): Promise<void> {
    for (const { at, kind } of this.#schedule.faults) {
      if (kind !== "late") continue;
      if (await this.#withoutLate(new Set([at]))) continue;
      for (let ticks = this.#ticksOf(at); ticks > 1; ticks = this.#ticksOf(at)) {
        if (!(await this.#withTicks(at, Math.floor(ticks / 2)))) break;
      }
    }
  }

  /** Tries late deliveries on an empty queue: first-come, right behind the anchor, right ahead of it. */
  async #withoutLate(late: ReadonlySet<string>): Promise<boolean> {
    const faults = this.#schedule.faults.filter(({ at, kind }) => !(kind === "late" && late.has(at)));
    const { orderings, data } = this.#schedule;
    for (const placed of [orderings, this.#placed(late, "behind"), this.#placed(late, "ahead")]) {
      if (await this.fails({ orderings: placed, faults, data })) return true;
    }
    return false;
  }

  #withTicks(at: string, ticks: number): Promise<boolean> {
    const fewer = (fault: Fault): Fault =>
      fault.at === at && fault.kind === "late" ? { ...fault, arg: ticks } : fault;
    return this.fails({ ...this.#schedule, faults: this.#schedule.faults.map(fewer) });
  }

  #ticksOf(at: string): number {
    return this.#schedule.faults.find((fault) => fault.at === at && fault.kind === "late")?.arg ?? 1;
  }

  /** The orderings, and all that keeps the late deliveries next to their anchors once they come on an empty queue. */
  #placed(late: ReadonlySet<string>, side: "behind" | "ahead"): Ordering[] {
    const order = this.#execution.steps.map(({ name }) => name);
    const added: Ordering[] = [];
    for (const first of late) {
      const at = order.indexOf(first);
      const overtaken = order.slice(at + 1);
      if (side === "ahead") overtaken.unshift(...order.slice(Math.max(0, at - 1), at));
      for (const then of overtaken) if (!late.has(then)) added.push({ first, then });
    }
    const kept = this.#schedule.orderings.filter(
      (one) => !added.some((other) => one.first === other.then && one.then === other.first),
    );
    return [...kept, ...added];
  }

  async #reduceData(): Promise<void> {
    const { data } = this.#schedule;
    const positions = data.flatMap((index, at) => (index === 0 ? [] : [at]));
    await reduce(positions, (kept) => {
      const zeroed = data.map((index, at) => (kept.includes(at) ? index : 0));
      return this.fails({ ...this.#schedule, data: withoutTrailingZeros(zeroed) });
    });
  }
}
