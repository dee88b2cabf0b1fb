import type { Execution } from "../sim/execution.ts";
import type { Fault } from "../sim/result.ts";
import { describeOrdering, type Schedule, ScheduleChooser } from "../sim/schedule.ts";

export type Judgement = {
  readonly met: readonly string[];
  readonly unmet: readonly string[];
  readonly neverAppeared: readonly string[];
};

/** Tells which orderings and faults of a schedule came about in an execution, however that was chosen. */
export function judge(schedule: Schedule, execution: Execution): Judgement {
  const chooser = new ScheduleChooser(schedule);
  for (const { name } of execution.steps) chooser.delivered({ name });
  const { met, unmet, neverAppeared } = chooser.outcome(execution.left);
  const struck = (fault: Fault): boolean => cameAbout(fault, execution);
  const lostChoices = schedule.data.flatMap((index, at) =>
    execution.data[at] === index ? [] : [`choice of data ${at + 1} taking option ${index + 1}`],
  );
  return {
    met: [...met.map(describeOrdering), ...schedule.faults.filter(struck).map(describeFault)],
    unmet: [
      ...unmet.map(describeOrdering),
      ...schedule.faults.filter((fault) => !struck(fault)).map(describeFault),
      ...lostChoices,
    ],
    neverAppeared,
  };
}

function cameAbout({ at, kind }: Fault, { steps }: Execution): boolean {
  return steps.some(({ name, tick, fault }) => name === at && (kind === "late" ? tick > 0 : fault === kind));
}

function describeFault({ at, kind, arg }: Fault): string {
  if (kind !== "late") return `${at} made to ${kind}`;
  return `${at} late by ${arg ?? 1} ${(arg ?? 1) === 1 ? "tick" : "ticks"}`;
}
