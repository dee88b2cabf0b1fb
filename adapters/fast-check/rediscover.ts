import { decodeChoices } from "../../repro/choices.ts";
import { explain, type Found } from "../../repro/explain.ts";
import { type ExploreResult, reproOf } from "../../repro/explore.ts";
import { planOf } from "../../sim/bounds.ts";
import { worldIndex } from "../../sim/random.ts";
import type { ExploreOptions, Level, StrategyName } from "../../sim/result.ts";
import { type Settings, withRunner } from "../../sim/runner.ts";
import type { Scenario } from "../../sim/scenario.ts";
import { type Schedule, ScheduleChooser } from "../../sim/schedule.ts";

export type Violated = Extract<ExploreResult, { readonly outcome: "violated" }>;

/** How a value has failed: a schedule over names, and what seeds the world of its execution. */
export type Failure = {
  readonly schedule: Schedule;
  readonly level: Level;
  readonly strategy: StrategyName;
  readonly index: number;
  /** What the search took that has found it first, and all tries since. */
  readonly executions: number;
};

/**
 * Tries a schedule under which something else has failed; null when this scenario holds under it. What it meets is
 * shrunk and explained as after a search.
 */
export async function rediscover(
  scenario: Scenario,
  options: ExploreOptions,
  known: Failure,
): Promise<Violated | null> {
  const { level, schedule, strategy, index } = known;
  const settings: Settings = { ...planOf(scenario, { ...options, level }).settings, jitterTicks: ticksOf(schedule) };
  const execution = await withRunner(scenario, settings, (runner) =>
    runner.run(new ScheduleChooser(schedule), { execution: index }),
  );
  const { violation, ambiguous } = execution;
  if (violation === null) return null;
  // Where only the count tells the world's streams, it has to tell those of this execution.
  const executions = worldIndex(strategy, 1) === 1 ? index + 1 : known.executions + 1;
  const reached = { goals: {}, missing: [] };
  const { seed } = settings;
  const found: Found = {
    ...{ outcome: "violated", execution, violation, level, settings, strategy, index, executions, reached },
    ...{ seed, ambiguous },
  };
  const told = await explain(scenario, found);
  const repro = reproOf(scenario, found, told, []);
  const races = { pairs: 0, bothOrders: 0, oneOrder: [] };
  return {
    ...{ outcome: "violated", violation: told.violation, verdict: repro.verdict, repro },
    ...{
      executions: known.executions + 1,
      reached,
      races,
      seed,
      ambiguous,
      swap: told.swap,
      extra: told.extra,
      telling: told.telling,
    },
  };
}

/** How a value has failed, for those that are shrunk from it. */
export function failureOf({ repro, executions }: Violated): Failure {
  const { orderings, faults, data, level, choices, foundBy } = repro;
  const index = choices === null ? 0 : decodeChoices(choices).bounds.index;
  return { schedule: { orderings, faults, data }, level, strategy: foundBy.strategy, index, executions };
}

/** The latest tick at which the schedule lets a delivery arrive. */
function ticksOf({ faults }: Schedule): number {
  return Math.max(1, ...faults.map(({ arg }) => arg ?? 1));
}
