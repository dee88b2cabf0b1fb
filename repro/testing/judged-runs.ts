/** Runs of the toy engine whose violation is decided by the trace alone: it violates when every pair came in order. */
import type { Chooser, Execution } from "../../sim/execution.ts";
import type { Ordering, Violation } from "../../sim/result.ts";
import { type Schedule, ScheduleChooser } from "../../sim/schedule.ts";
import { runToy, type ToyScenario, type ToySettings } from "./toy-engine.ts";

export const planted: Violation = { kind: "always", name: "planted", detail: "the pairs came in order", at: null };

export type JudgedRuns = {
  readonly choose: (chooser: Chooser) => Execution;
  readonly runs: (schedule: Schedule) => Promise<Execution>;
  readonly chooserRuns: (chooser: Chooser) => Promise<Execution>;
};

export function judgedRuns(
  scenario: ToyScenario,
  settings: ToySettings,
  pairs: readonly Ordering[],
  ticks = 0,
): JudgedRuns {
  const choose = (chooser: Chooser): Execution => {
    const execution = runToy(scenario, chooser, settings);
    const at = (name: string): number => execution.steps.findIndex((step) => step.name === name);
    const inOrder = pairs.every(({ first, then }) => at(first) >= 0 && at(then) > at(first));
    const lateEnough = ticks === 0 || execution.steps.some(({ tick }) => tick >= ticks);
    return { ...execution, violation: inOrder && lateEnough ? planted : null };
  };
  return {
    choose,
    runs: async (schedule) => choose(new ScheduleChooser(schedule)),
    chooserRuns: async (chooser) => choose(chooser),
  };
}
