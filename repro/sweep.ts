/**
 * A sweep of one delivery: the first-come run of a scenario, and then one execution for each place of that run at which the
 * delivery can come instead. So a stop is tried after every single thing that happens, and no search has to find the place.
 */
import { planOf } from "../sim/bounds.ts";
import type { Execution } from "../sim/execution.ts";
import type { ExploreOptions, Reached } from "../sim/result.ts";
import { withRunner } from "../sim/runner.ts";
import type { Scenario } from "../sim/scenario.ts";
import { firstComeSchedule, type Schedule, ScheduleChooser } from "../sim/schedule.ts";
import { explain, type Found } from "./explain.ts";
import { type ExploreResult, reproOf } from "./explore.ts";

export type Swept =
  | { readonly outcome: "held"; readonly executions: number; readonly reached: Reached }
  | Extract<ExploreResult, { readonly outcome: "violated" }>;

/**
 * Puts `delivery` at every place of the first-come run; stops at the first violation, which comes with its repro. Of the
 * options it heeds level, seed, bounds, script and signal, and `executions` as the most. Throws ExploreOptionsError and
 * ScenarioError.
 */
export async function sweep(scenario: Scenario, delivery: string, options: ExploreOptions = {}): Promise<Swept> {
  const plan = planOf(scenario, options);
  // Nothing comes late in a sweep, so how long drains are need not be measured.
  const settings = { ...plan.settings, jitterTicks: plan.settings.jitterTicks ?? 1 };
  const goals = new Map<string, number>();
  let executions = 0;
  const failing = await withRunner(scenario, settings, async (runner): Promise<Execution | null> => {
    const run = async (schedule: Schedule): Promise<Execution> => {
      const execution = await runner.run(new ScheduleChooser(schedule));
      executions++;
      for (const goal of runner.engine.conditions.reached) goals.set(goal, (goals.get(goal) ?? 0) + 1);
      return execution;
    };
    const base = await run(firstComeSchedule);
    if (base.violation !== null) return base;
    for (const schedule of placesOf(base, delivery)) {
      if (executions >= plan.executions || plan.signal?.aborted === true) break;
      const execution = await run(schedule);
      if (execution.violation !== null) return execution;
    }
    return null;
  });
  const reached = { goals: Object.fromEntries(goals), missing: [] };
  const violation = failing?.violation ?? null;
  if (failing === null || violation === null) return { outcome: "held", executions, reached };
  const found: Found = {
    ...{ outcome: "violated", execution: failing, violation, level: settings.level, settings, strategy: "placement" },
    ...{ index: 0, executions, reached, seed: settings.seed, ambiguous: failing.ambiguous },
  };
  const told = await explain(scenario, found, options.script ?? null);
  const repro = reproOf(scenario, found, told, told.script ?? []);
  return {
    ...{ outcome: "violated", violation: told.violation, verdict: repro.verdict, repro, executions, reached },
    ...{ races: { pairs: 0, bothOrders: 0, oneOrder: [] }, seed: settings.seed, ambiguous: failing.ambiguous },
    ...{ swap: told.swap, extra: told.extra, telling: told.telling },
  };
}

/** After each of the others, and before the one that comes then; where it came by itself is the base run. */
function placesOf({ steps }: Execution, delivery: string): readonly Schedule[] {
  const names = steps.map(({ name }) => name);
  const at = names.indexOf(delivery);
  if (at < 0) return [];
  const others = names.toSpliced(at, 1);
  return Array.from({ length: others.length + 1 }, (_, place) => place)
    .filter((place) => place !== at)
    .map((place) => {
      const [before, after] = [others[place - 1], others[place]];
      const orderings = [
        ...(before === undefined ? [] : [{ first: before, then: delivery }]),
        ...(after === undefined ? [] : [{ first: delivery, then: after }]),
      ];
      return { ...firstComeSchedule, orderings };
    });
}
