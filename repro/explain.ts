/**
 * Turns a failure that a search has found into one that a person can understand: a minimal script and schedule, the
 * critical pair and what its swap changes, the strongest level at which it exists, and the violation with its stacks.
 */
import type { Execution } from "../sim/execution.ts";
import { hasCauses } from "../sim/native/wait-graph.ts";
import type { Level, Violation } from "../sim/result.ts";
import { type RunOptions, type Settings, withRunner } from "../sim/runner.ts";
import type { Scenario } from "../sim/scenario.ts";
import { type Schedule, ScheduleChooser } from "../sim/schedule.ts";
import type { SearchResult } from "../sim/search.ts";
import { type ChooserRuns, type CriticalPair, findCriticalPair } from "./critical-pair.ts";
import { scheduleOf } from "./orderings.ts";
import { sharpen } from "./sharpen.ts";
import { isSameViolation } from "./shrink.ts";
import { anyStepNeedless, type Failing, shrinkJointly } from "./shrink-script.ts";
import { type Swap, swapOf } from "./swap.ts";
import { type Telling, tellingOf } from "./telling.ts";

export type Found = Omit<Extract<SearchResult, { readonly outcome: "violated" }>, "races">;

/** Executions that were run to explain a failure, after the search. */
export type ExtraExecutions = {
  /** With scripts of fewer or simpler steps. */
  readonly script: number;
  /** To take away faults, orderings, late arrivals and data. */
  readonly schedule: number;
  /** To find the critical pair. */
  readonly pair: number;
  /** To sharpen the orderings by it, to see the strongest level, and for the stacks. */
  readonly telling: number;
};

export type Explained = {
  /** The smallest that fails, as it was given; null: none was given. */
  readonly script: readonly unknown[] | null;
  readonly schedule: Schedule;
  readonly execution: Execution;
  readonly violation: Violation;
  readonly level: Level;
  readonly pair: CriticalPair | null;
  /** What the swap of the critical pair changes. */
  readonly swap: Swap | null;
  /** Null where the execution that was run to be told did not fail in the same way. */
  readonly telling: Telling | null;
  /** Seeds the random streams of its executions. */
  readonly index: number;
  readonly extra: ExtraExecutions;
};

type Small = Failing & { readonly pair: CriticalPair | null };

// A livelock is only known for one after a second, so there its schedules cannot be tried by the hundred.
const limits = { schedule: 1_000, pair: 200, script: 1_000, searched: 300 };
const livelockLimits = { schedule: 6, pair: 4, script: 4, searched: 0 };

/**
 * Explains what was found. With `script`, the one that the search was given, its steps are taken away, too. Runs a bounded
 * number of executions. Once `signal` is aborted, it tells what is smallest by then, and looks for no pair.
 */
export async function explain(
  scenario: Scenario,
  found: Found,
  script: readonly unknown[] | null = null,
  signal: AbortSignal | null = null,
): Promise<Explained> {
  const { index, execution, settings } = found;
  const most = { ...(found.violation.kind === "livelock" ? livelockLimits : limits), signal };
  const whole = { script: script === null || script.length === 0 ? null : script, settings, execution };
  const shrunk = await shrinkJointly(scenario, whole, index, most);
  const small: Failing = shrunk ?? { ...whole, schedule: scheduleOf(execution) };
  let telling = 1;
  const decided = await withRunner(scenario, small.settings, async (runner): Promise<Small> => {
    const runs: ChooserRuns = (chooser) => runner.run(chooser, { execution: index });
    if (signal?.aborted === true) return { ...small, pair: null };
    return { ...small, pair: await findCriticalPair(small.schedule, small.execution, runs, most.pair) };
  });
  const sharper = await sharpened(scenario, decided, index, most.pair, () => telling++);
  const level = await strongestLevel(scenario, found, sharper, index, () => telling++);
  const told = await runWithStacks(scenario, level, sharper, index);
  const { script: least, schedule, pair } = sharper;
  const extra: ExtraExecutions = {
    ...(shrunk?.executions ?? { script: 0, schedule: 1 }),
    pair: decided.pair?.executions ?? 0,
    telling,
  };
  return { script: least ?? script, schedule, pair, level, index, extra, ...told };
}

/** With the critical pair itself among the orderings, where that makes nothing else needless, or as it was. */
async function sharpened(
  scenario: Scenario,
  small: Small,
  index: number,
  limit: number,
  onExecution: () => void,
): Promise<Small> {
  const { schedule, pair, settings } = small;
  if (pair === null) return small;
  const sharp = await withRunner(scenario, settings, (runner) => {
    const runs: ChooserRuns = (chooser) => {
      onExecution();
      return runner.run(chooser, { execution: index });
    };
    return sharpen(schedule, pair, runs, limit);
  });
  if (sharp === null) return small;
  const sharper = { ...small, ...sharp };
  return (await anyStepNeedless(scenario, sharper, index)) ? small : sharper;
}

/** The strongest level at which the schedule violates in the same way: without late arrivals it may be a bug. */
async function strongestLevel(
  scenario: Scenario,
  found: Found,
  small: Small,
  index: number,
  onExecution: () => void,
): Promise<Level> {
  const { schedule } = small;
  const late = schedule.faults.some(({ kind }) => kind === "late");
  for (const level of strongerThan(found.level)) {
    if (late && level === "spec") continue;
    const settings: Settings = { ...small.settings, level };
    onExecution();
    const execution = await withRunner(scenario, settings, (runner) =>
      runner.run(new ScheduleChooser(schedule), { execution: index }),
    );
    if (isSameViolation(found.violation, execution.violation)) return level;
  }
  return found.level;
}

/** The levels at which a failure weighs more, the strongest first. */
export function strongerThan(level: Level): readonly Level[] {
  return level === "free" ? ["spec", "jitter"] : level === "jitter" ? ["spec"] : [];
}

async function runWithStacks(
  scenario: Scenario,
  level: Level,
  { schedule, settings, execution: shrunk, pair }: Small,
  index: number,
): Promise<Pick<Explained, "execution" | "violation" | "swap" | "telling">> {
  const closely = hasCauses(shrunk.violation) ? ({ watch: "origins", waits: true } as const) : {};
  const [execution, swap, telling] = await withRunner(scenario, { ...settings, level }, async (runner) => {
    const options: RunOptions = { stacks: true, asked: true, execution: index, ...closely };
    const execution = await runner.run(new ScheduleChooser(schedule), options);
    const swap = pair === null ? null : swapOf(pair, (delivery) => runner.askedAt(delivery));
    return [execution, swap, tellingOf(runner, execution, schedule.faults, pair?.pair ?? null)] as const;
  });
  const { violation } = shrunk;
  if (violation === null) throw new Error("A shrunk execution must violate something");
  if (execution.violation === null || !isSameViolation(violation, execution.violation)) {
    return { execution: shrunk, violation, swap, telling: null };
  }
  return { execution, violation: execution.violation, swap, telling };
}
