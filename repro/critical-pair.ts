/**
 * Finds the critical pair: two deliveries whose swap alone turns a failure into a pass.
 *
 * With orderings only: take one ordering away, so that the schedule passes; walk from the passing order of deliveries
 * to the failing one by swaps of neighbours; bisect to the swap at which it begins to fail.
 *
 * With a late arrival: it already stands right behind its anchor, so the pair is [anchor, late delivery]. The passing
 * side has the late delivery before its anchor on an empty queue; where that fails too, behind it on an empty queue.
 *
 * Both sides are run once more at the end: a pair is only told when exactly one of them violates anything.
 */
import { type Chooser, chosenSteps, type Execution } from "../sim/execution.ts";
import type { Fault } from "../sim/result.ts";
import { type Schedule, ScheduleChooser } from "../sim/schedule.ts";
import { anchorOf } from "./orderings.ts";
import { RankChooser } from "./rank.ts";
import { isSameViolation } from "./shrink.ts";

export type CriticalPair = {
  /** As they stand in the failing schedule. */
  readonly pair: readonly [string, string];
  readonly passing: Execution;
  readonly failing: Execution;
  readonly executions: number;
};

export type ChooserRuns = (chooser: Chooser) => Promise<Execution>;
type Side = { readonly order: readonly string[]; readonly faults: readonly Fault[] };

/** Finds the critical pair of a minimal failing schedule; null when no single swap decides. At most `limit` executions. */
export async function findCriticalPair(
  schedule: Schedule,
  failing: Execution,
  runs: ChooserRuns,
  limit: number,
): Promise<CriticalPair | null> {
  const finding = new Finding(schedule, failing, runs, limit);
  return (await finding.amongLate()) ?? (await finding.amongOrderings());
}

class Finding {
  readonly #schedule: Schedule;
  readonly #failing: Execution;
  readonly #runs: ChooserRuns;
  readonly #limit: number;
  #executions = 0;

  constructor(schedule: Schedule, failing: Execution, runs: ChooserRuns, limit: number) {
    this.#schedule = schedule;
    this.#failing = failing;
    this.#runs = runs;
    this.#limit = limit;
  }

  async amongLate(): Promise<CriticalPair | null> {
    const order = namesOf(this.#failing);
    for (const late of this.#schedule.faults.toReversed()) {
      const anchor = late.kind === "late" ? anchorOf(this.#failing, late.at) : null;
      if (anchor === null) continue;
      const faults = this.#schedule.faults.filter((fault) => fault !== late);
      const ahead = order.flatMap((name) => (name === anchor ? [late.at, anchor] : name === late.at ? [] : [name]));
      for (const passing of [ahead, order]) {
        const found = await this.#confirm([anchor, late.at], { order: passing, faults }, this.#side(order));
        if (found !== null) return found;
      }
    }
    return null;
  }

  async amongOrderings(): Promise<CriticalPair | null> {
    // The last ordering is nearest to the failure, so it is tried first.
    for (const dropped of this.#schedule.orderings.toReversed()) {
      const orderings = this.#schedule.orderings.filter((ordering) => ordering !== dropped);
      const passing = await this.#run(new ScheduleChooser({ ...this.#schedule, orderings }));
      if (passing === null || passing.violation !== null) continue;
      const found = await this.#between(passing);
      if (found !== null) return found;
    }
    return null;
  }

  /** Bisects the way from a passing execution to the failing one. */
  async #between(passing: Execution): Promise<CriticalPair | null> {
    const from = namesOf(passing);
    const to = namesOf(this.#failing);
    const start = [...from, ...to.filter((name) => !from.includes(name))];
    const goal = [...to, ...from.filter((name) => !to.includes(name))];
    const swaps = swapsBetween(start, goal);
    let [passes, fails] = [0, swaps.length];
    while (fails - passes > 1) {
      const middle = Math.floor((passes + fails) / 2);
      const execution = await this.#run(this.#chooser(this.#side(afterSwaps(start, swaps, middle))));
      if (execution === null) return null;
      // Another violation on the way is no pass: the swap wanted is the one at which it all begins.
      if (execution.violation === null) passes = middle;
      else fails = middle;
    }
    const at = swaps[passes];
    const before = afterSwaps(start, swaps, passes);
    const after = afterSwaps(start, swaps, fails);
    const [first, then] = at === undefined ? [] : after.slice(at, at + 2);
    if (first === undefined || then === undefined) return null;
    return this.#confirm([first, then], this.#side(before), this.#side(after));
  }

  /** Runs both sides; the pair is critical when exactly the failing side violates, and in the same way. */
  async #confirm(pair: readonly [string, string], passing: Side, failing: Side): Promise<CriticalPair | null> {
    const { violation } = this.#failing;
    const failed = await this.#run(this.#chooser(failing));
    if (violation === null || failed === null || !isSameViolation(violation, failed.violation)) return null;
    const passed = await this.#run(this.#chooser(passing));
    if (passed === null || passed.violation !== null) return null;
    return { pair, passing: passed, failing: failed, executions: this.#executions };
  }

  /** The schedule's own faults in another order of deliveries. */
  #side(order: readonly string[]): Side {
    return { order, faults: this.#schedule.faults };
  }

  #chooser({ order, faults }: Side): Chooser {
    return new RankChooser(order, faults, this.#schedule.data);
  }

  /** Null when the limit is reached. */
  async #run(chooser: Chooser): Promise<Execution | null> {
    if (this.#executions >= this.#limit) return null;
    this.#executions++;
    return this.#runs(chooser);
  }
}

function namesOf(execution: Execution): string[] {
  return chosenSteps(execution).map(({ name }) => name);
}

/** The swaps of neighbours that turn one order into another, each by the index of its left side. */
export function swapsBetween(from: readonly string[], to: readonly string[]): number[] {
  const order = [...from];
  const swaps: number[] = [];
  to.forEach((name, goal) => {
    for (let at = order.indexOf(name, goal); at > goal; at--) {
      swap(order, at - 1);
      swaps.push(at - 1);
    }
  });
  return swaps;
}

function afterSwaps(from: readonly string[], swaps: readonly number[], count: number): string[] {
  const order = [...from];
  for (const at of swaps.slice(0, count)) swap(order, at);
  return order;
}

function swap(order: string[], at: number): void {
  order.splice(at, 2, ...order.slice(at, at + 2).reverse());
}
