/**
 * Makes a failing schedule small: delta debugging (Zeller and Hildebrandt, 2002) jointly over faults, orderings, late
 * arrivals and data, again and again until nothing single can be taken away. What counts as the same failure is the
 * kind and the name of the violation.
 *
 * Late arrivals are tried away first, because a failure without them exists at the stronger level `spec`: a bug with
 * three orderings is worth more than a fragility with one.
 */
import { conflict } from "../sim/dependence.ts";
import type { Execution } from "../sim/execution.ts";
import type { Fault, Ordering, Violation } from "../sim/result.ts";
import { describeOrdering, type Schedule } from "../sim/schedule.ts";
import {
  briefScheduleOf,
  inOrderOf,
  overtakersOf,
  turnedPairs,
  withoutRepeats,
  withoutTrailingZeros,
} from "./orderings.ts";
import { reduce } from "./reduce.ts";

/** How many pairs of deliveries are looked at, the closest first. */
const pairsLimit = 400;
/** How many single orderings are tried in place of several. */
const singlesLimit = 5;
/** So many orderings at most are picked; where they are not enough, the schedule is reduced from above. */
const picksLimit = 6;
/** So many orderings are reduced from above at once: no way to pick them is shorter. */
const few = 3;
/** How often everything is gone through again to find something simpler; that it gets smaller still is without limit. */
const roundsLimit = 4;

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

/**
 * Shrinks a failing execution, or a schedule that leads to it; null when that schedule does not fail again. At most
 * `limit` executions, and none more once `signal` is aborted and that one is known to fail.
 */
export async function shrink(
  failing: Execution,
  runs: Runs,
  limit: number,
  start: Schedule = briefScheduleOf(failing),
  signal: AbortSignal | null = null,
): Promise<Shrunk | null> {
  if (failing.violation === null) return null;
  const shrinking = new Shrinking(failing, failing.violation, runs, limit, signal);
  if (!(await shrinking.fails(start))) return null;
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
  readonly #signal: AbortSignal | null;
  /** Null: passed, or failed in another way. */
  readonly #tried = new Map<string, Execution | null>();
  /** The last execution that was run without orderings and did not fail. */
  #basis: { readonly key: string; readonly execution: Execution } | null = null;
  /** Orderings of schedules that passed. */
  readonly #passed = new Set<string>();
  #schedule: Schedule;
  #execution: Execution;
  #executions = 0;
  #limited = false;

  constructor(failing: Execution, violation: Violation, runs: Runs, limit: number, signal: AbortSignal | null) {
    this.#violation = violation;
    this.#runs = runs;
    this.#limit = limit;
    this.#signal = signal;
    this.#schedule = briefScheduleOf(failing);
    this.#execution = failing;
  }

  result(): Shrunk {
    const execution = this.#execution;
    const orderings = inOrderOf(execution, this.#schedule.orderings);
    const schedule = { ...this.#schedule, orderings };
    return { schedule, execution, executions: this.#executions, minimal: !this.#limited };
  }

  /** Tells whether the schedule fails in the same way; if so, it is the new best. */
  async fails(wanted: Schedule): Promise<boolean> {
    const interrupted = this.#signal?.aborted === true && this.#executions > 0;
    if (interrupted || this.#executions >= this.#limit) {
      this.#limited = true;
      return false;
    }
    const schedule = { ...wanted, orderings: withoutRepeats(wanted.orderings) };
    const execution = await this.#run(schedule);
    if (execution === null) return false;
    this.#schedule = schedule;
    this.#execution = execution;
    return true;
  }

  /** The execution of a schedule that fails; null for any other. Equal schedules give equal executions. */
  async #run(schedule: Schedule): Promise<Execution | null> {
    const key = keyOf(schedule);
    const known = this.#tried.get(key);
    if (known !== undefined) return known;
    this.#executions++;
    const execution = await this.#runs(schedule);
    const failing = isSameViolation(this.#violation, execution.violation) ? execution : null;
    this.#tried.set(key, failing);
    if (failing === null && schedule.orderings.length === 0) this.#basis = { key, execution };
    if (execution.violation === null) for (const each of schedule.orderings) this.#passed.add(describeOrdering(each));
    return failing;
  }

  async toMinimum(): Promise<void> {
    await this.#withoutAnyLate();
    for (let round = 0, before: Schedule | null = null; before !== this.#schedule && round < roundsLimit; round++) {
      before = this.#schedule;
      await this.#reduceFaults();
      await this.#reduceOrderings();
      await this.#tighten();
      await this.#findOne();
      await this.#reduceLate();
      await this.#reduceData();
    }
    await this.#toFixpoint();
  }

  /** Only takes away, so it comes to an end; and then nothing single can be taken away any more. */
  async #toFixpoint(): Promise<void> {
    for (let before: Schedule | null = null; before !== this.#schedule && !this.#limited; ) {
      before = this.#schedule;
      await this.#reduceFaults();
      await reduce(this.#schedule.orderings, (orderings) => this.#failsWith(orderings));
      await this.#reduceLate();
      await this.#reduceData();
    }
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
    if (this.#schedule.orderings.length > few) await this.#pick();
    await reduce(this.#schedule.orderings, (orderings) => this.fails({ ...this.#schedule, orderings }));
  }

  /**
   * Builds the orderings up from nothing, as QuickXplain does (Junker, 2004): of all pairs that this execution has in
   * another order than the first-come one, the most telling first, the shortest list that fails ends in one that
   * matters; with that one held, again. It takes a logarithm of the number of pairs for each ordering that it finds.
   */
  async #pick(): Promise<void> {
    const firstCome = await this.#firstCome();
    if (firstCome === null) return;
    const conflicting = conflictsOf(this.#execution);
    const telling = turnedPairs(this.#execution, firstCome, pairsLimit).filter(conflicting);
    const enough = telling.length > 0 && (await this.#failsWith(telling));
    let rest = enough ? telling : withoutRepeats([...telling, ...this.#schedule.orderings]);
    const picked: Ordering[] = [];
    while (rest.length > 0 && picked.length < picksLimit && !this.#limited) {
      const length = await this.#shortest(picked, rest);
      const last = rest[length - 1];
      if (last === undefined) return;
      picked.unshift(last);
      rest = rest.slice(0, length - 1);
      if (await this.#failsWith(picked)) return;
    }
  }

  /** The length of the shortest part of `list`, from its start, that fails together with `picked`; all of it does. */
  async #shortest(picked: readonly Ordering[], list: readonly Ordering[]): Promise<number> {
    let [passes, fails] = [0, list.length];
    // What is found first stands near the start; of the others nothing is known.
    for (let length = 1; length < fails && picked.length === 0; length *= 2) {
      if (await this.#failsWith([...list.slice(0, length), ...picked])) fails = length;
      else passes = length;
    }
    while (fails - passes > 1) {
      const middle = Math.floor((passes + fails) / 2);
      if (await this.#failsWith([...list.slice(0, middle), ...picked])) fails = middle;
      else passes = middle;
    }
    return fails;
  }

  #failsWith(orderings: readonly Ordering[]): Promise<boolean> {
    return this.fails({ ...this.#schedule, orderings });
  }

  /** The execution without any ordering; null where that fails, too, or is not known any more. */
  async #firstCome(): Promise<Execution | null> {
    const schedule: Schedule = { ...this.#schedule, orderings: [] };
    if (await this.fails(schedule)) return null;
    return this.#basis?.key === keyOf(schedule) ? this.#basis.execution : null;
  }

  /**
   * Replaces `first` by the earliest delivery for which holding `then` is enough, going back from the one that is known
   * to be. This says more precisely what matters, and leaves no ordering whose `first` did not run: the last that
   * overtook `then` always does.
   */
  async #tighten(): Promise<void> {
    for (const ordering of this.#schedule.orderings) {
      const overtakers = overtakersOf(this.#execution, ordering.then);
      const at = overtakers.indexOf(ordering.first);
      const others = this.#schedule.orderings.filter((each) => each !== ordering);
      const enough = (index: number): Promise<boolean> =>
        this.#failsWith([...others, { first: overtakers[index] ?? ordering.first, then: ordering.then }]);
      let [tooEarly, found] = [-1, at < 0 ? overtakers.length : at];
      for (let back = 1; found - back > tooEarly; back *= 2) {
        if (await enough(found - back)) found -= back;
        else tooEarly = found - back;
      }
      while (found - tooEarly > 1) {
        const middle = Math.floor((tooEarly + found) / 2);
        if (await enough(middle)) found = middle;
        else tooEarly = middle;
      }
    }
  }

  /**
   * Looks for one ordering that does the work of several. A minimum of two is often the mirror image of a simpler
   * failure, in which the other side comes first; it is among the pairs that this execution has in another order than
   * the first-come one, and most often the two stand close.
   */
  async #findOne(): Promise<void> {
    if (this.#schedule.orderings.length < 2) return;
    const firstCome = await this.#firstCome();
    if (firstCome === null) return;
    let left = singlesLimit;
    for (const ordering of turnedPairs(this.#execution, firstCome, pairsLimit)) {
      if (left === 0 || this.#held(ordering)) continue;
      left--;
      if (await this.#failsWith([ordering])) return;
    }
  }

  /** True where it held among others: alone it would hardly fail. */
  #held(ordering: Ordering): boolean {
    const key = describeOrdering(ordering);
    return this.#passed.has(key);
  }

  async #reduceLate(): Promise<void> {
    for (const { at, kind } of this.#schedule.faults) {
      if (kind !== "late") continue;
      if (await this.#withoutLate(new Set([at]))) continue;
      await this.#earlier(at);
    }
  }

  /** Looks for the least ticks that are enough: by halves while that fails, then for the border in between. */
  async #earlier(at: string): Promise<void> {
    let tooFew = 0;
    for (let ticks = this.#ticksOf(at); ticks - tooFew > 1; ticks = this.#ticksOf(at)) {
      const fewer = Math.floor((tooFew + ticks) / 2);
      if (!(await this.#withTicks(at, fewer))) tooFew = fewer;
      if (this.#limited) return;
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

/** The order in which orderings stand says nothing. */
function keyOf({ orderings, faults, data }: Schedule): string {
  return JSON.stringify([orderings.map(describeOrdering).sort(), faults, data]);
}

/** Tells of pairs of deliveries of an execution whether their order may matter. */
function conflictsOf({ steps }: Execution): (pair: Ordering) => boolean {
  const byName = new Map(steps.map((step) => [step.name, step]));
  return (pair) => {
    const [first, then] = [byName.get(pair.first), byName.get(pair.then)];
    return first !== undefined && then !== undefined && conflict(first, then);
  };
}
