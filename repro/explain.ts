/**
 * Turns a failure that a search has found into one that a person can understand: a minimal schedule, the critical
 * pair, the strongest level at which it exists, and the violation with its stacks.
 */
import type { Execution } from "../sim/execution.ts";
import { hasWaits } from "../sim/native/wait-graph.ts";
import type { Level, Violation } from "../sim/result.ts";
import { type Runner, type Settings, withRunner } from "../sim/runner.ts";
import type { Scenario } from "../sim/scenario.ts";
import { type Schedule, ScheduleChooser } from "../sim/schedule.ts";
import type { SearchResult } from "../sim/search.ts";
import { type ChooserRuns, type CriticalPair, findCriticalPair } from "./critical-pair.ts";
import { scheduleOf } from "./orderings.ts";
import { sharpen } from "./sharpen.ts";
import { isSameViolation, shrink } from "./shrink.ts";

export type Found = Omit<Extract<SearchResult, { readonly outcome: "violated" }>, "races">;

export type Explained = {
  readonly schedule: Schedule;
  readonly execution: Execution;
  readonly violation: Violation;
  readonly level: Level;
  readonly pair: CriticalPair | null;
  /** Seeds the random streams of its executions. */
  readonly index: number;
};

type Small = { readonly schedule: Schedule; readonly execution: Execution; readonly pair: CriticalPair | null };

// A livelock is only known for one after a second, so there its schedules cannot be tried by the hundred.
const limits = { schedules: 1_000, pair: 200 };
const livelockLimits = { schedules: 6, pair: 4 };

/** Explains what was found. Runs a bounded number of executions. */
export async function explain(scenario: Scenario, found: Found): Promise<Explained> {
  const { index } = found;
  const { schedules, pair } = found.violation.kind === "livelock" ? livelockLimits : limits;
  const small = await withRunner(scenario, found.settings, async (runner): Promise<Small> => {
    const runs: ChooserRuns = (chooser) => runner.run(chooser, { execution: index });
    const shrunk = await shrink(found.execution, (schedule) => runs(new ScheduleChooser(schedule)), schedules);
    const { schedule, execution } = shrunk ?? unshrunk(found.execution);
    const decides = await findCriticalPair(schedule, execution, runs, pair);
    const small = { schedule, execution, pair: decides };
    return decides === null ? small : ((await sharpen(schedule, decides, runs, pair)) ?? small);
  });
  const level = await strongestLevel(scenario, found, small.schedule, index);
  const told = await runWithStacks(scenario, { ...found.settings, level }, small, index);
  return { schedule: small.schedule, pair: small.pair, level, index, ...told };
}

/** The strongest level at which the schedule violates in the same way: without late arrivals it may be a bug. */
async function strongestLevel(scenario: Scenario, found: Found, schedule: Schedule, index: number): Promise<Level> {
  if (found.level !== "jitter" || schedule.faults.some(({ kind }) => kind === "late")) return found.level;
  const settings: Settings = { ...found.settings, level: "spec" };
  const execution = await withRunner(scenario, settings, (runner) => runSchedule(runner, schedule, index));
  return isSameViolation(found.violation, execution.violation) ? "spec" : found.level;
}

async function runWithStacks(
  scenario: Scenario,
  settings: Settings,
  { schedule, execution: shrunk }: Small,
  index: number,
): Promise<{ readonly execution: Execution; readonly violation: Violation }> {
  const closely = hasWaits(shrunk.violation) ? ({ watch: "origins", waits: true } as const) : {};
  const execution = await withRunner(scenario, settings, (runner) =>
    runner.run(new ScheduleChooser(schedule), { stacks: true, execution: index, ...closely }),
  );
  const { violation } = shrunk;
  if (violation === null) throw new Error("A shrunk execution must violate something");
  if (execution.violation === null || !isSameViolation(violation, execution.violation)) {
    return { execution: shrunk, violation };
  }
  return { execution, violation: execution.violation };
}

function runSchedule(runner: Runner, schedule: Schedule, index: number): Promise<Execution> {
  return runner.run(new ScheduleChooser(schedule), { execution: index });
}

/** A finding is never lost: one whose orderings do not repeat it is told as it was found. */
function unshrunk(execution: Execution): Pick<Small, "schedule" | "execution"> {
  return { schedule: scheduleOf(execution), execution };
}
