/** Runs a scenario for a test, and tells its executions in full. */
import { planOf } from "../bounds.ts";
import type { Chooser, Execution } from "../execution.ts";
import type { ExploreOptions, Ordering } from "../result.ts";
import { withRunner } from "../runner.ts";
import type { Scenario } from "../scenario.ts";
import { firstComeSchedule, ScheduleChooser } from "../schedule.ts";
import { DepthFirst } from "../strategies/depth-first.ts";
import { FirstComeChooser, type Strategy } from "../strategy.ts";

/** Runs the first-come schedule. */
export function firstCome(scenario: Scenario, options: ExploreOptions = {}): Promise<Execution> {
  return executed(scenario, new FirstComeChooser(false), options);
}

/** Runs the first-come schedule with these orderings. */
export function ordered(
  scenario: Scenario,
  orderings: readonly Ordering[],
  options: ExploreOptions = {},
): Promise<Execution> {
  return executed(scenario, new ScheduleChooser({ ...firstComeSchedule, orderings }), options);
}

export function executed(scenario: Scenario, chooser: Chooser, options: ExploreOptions = {}): Promise<Execution> {
  return withRunner(scenario, planOf(scenario, options).settings, (runner) => runner.run(chooser));
}

/** Runs all that a strategy proposes, told in full; null when that is more than `most`. */
export async function allOf(
  scenario: Scenario,
  strategy: Strategy,
  options: ExploreOptions,
  most: number,
): Promise<readonly Execution[] | null> {
  return withRunner(scenario, planOf(scenario, options).settings, async (runner) => {
    const executions: Execution[] = [];
    await runner.batch({
      index: 0,
      next: () => {
        runner.engine.tracer.detailed = true;
        return executions.length > most ? null : strategy.next(executions.length);
      },
      again: () => strategy.again(executions.length),
      ended: () => {
        const execution = runner.tell();
        executions.push(execution);
        const { steps, violation } = execution;
        strategy.ended({ violated: violation !== null, deliveries: steps.length, tell: () => execution });
      },
    });
    return executions.length > most ? null : executions;
  });
}

/** Runs every execution that depth-first has. Throws when there are more than `most`. */
export async function everyExecution(
  scenario: Scenario,
  options: ExploreOptions = {},
  most = 20_000,
): Promise<readonly Execution[]> {
  const { settings } = planOf(scenario, options);
  const strategy = new DepthFirst(settings.level, settings.jitterTicks);
  return withRunner(scenario, settings, async (runner) => {
    const executions: Execution[] = [];
    await runner.batch({
      index: 0,
      next: () => {
        if (executions.length > most) throw new RangeError(`"${scenario.name}" has more than ${most} executions`);
        runner.engine.tracer.detailed = true;
        return strategy.next();
      },
      again: () => strategy.again(),
      ended: () => {
        const execution = runner.tell();
        executions.push(execution);
        const { steps, violation } = execution;
        strategy.ended({ violated: violation !== null, deliveries: steps.length, tell: () => execution });
      },
    });
    return executions;
  });
}

/** The names of what was delivered, in order. */
export function namesOf(execution: Execution): string[] {
  return execution.steps.map((step) => step.name);
}

/** The distinct traces of several executions, sorted. */
export function tracesOf(executions: readonly Execution[]): string[] {
  return [...new Set(executions.map((execution) => namesOf(execution).join(" ")))].sort();
}
