/** Shrinks a repro again: the code, or the shrinker, may be another one since. */
import type { Scenario } from "../sim/scenario.ts";
import { explain } from "./explain.ts";
import { reproOf } from "./explore.ts";
import { failsAsRecorded } from "./follow.ts";
import { type ReplayResult, replayInFull } from "./replay.ts";
import { checkRepro, type Repro } from "./repro.ts";

export type ShrunkAgain = {
  /** What is left; null when it does not fail as recorded. */
  readonly repro: Repro | null;
  readonly result: ReplayResult;
  /** Steps of the execution before and after. */
  readonly steps: readonly [before: number, after: number] | null;
};

/**
 * Replays a repro, strictly where that fits, and shrinks what it sees; once `signal` is aborted, what is smallest by then
 * is the answer. Throws ReproError, ScenarioError and ExploreOptionsError.
 */
export async function shrinkAgain(
  scenario: Scenario,
  repro: Repro,
  signal: AbortSignal | null = null,
): Promise<ShrunkAgain> {
  const checked = checkRepro(repro, "the repro");
  const { answer, result, execution, settings, index } = await replayInFull(scenario, checked);
  if (!failsAsRecorded({ answer }, checked) || answer.violation === undefined) {
    return { repro: null, result, steps: null };
  }
  const { strategy, seed, executions } = checked.foundBy;
  const found = {
    outcome: "violated" as const,
    ...{ execution, violation: answer.violation, level: checked.level, settings, strategy, index, executions, seed },
    ...{ reached: { goals: {}, missing: [] }, ambiguous: execution.ambiguous },
  };
  const told = await explain(scenario, found, checked.script, signal);
  const fresh: Repro = {
    ...reproOf(scenario, found, told, told.script ?? []),
    title: checked.title,
    ...(checked.expect === "held" ? { expect: "held", choices: null } : {}),
  };
  // Only where nothing has changed can the file be the better one, having been made from another execution.
  const changed = result.drift !== undefined;
  return {
    repro: changed || sizeOf(fresh) <= sizeOf(checked) ? fresh : checked,
    result,
    steps: [execution.steps.length, told.execution.steps.length],
  };
}

/** What a reader has to understand: steps of the script, orderings, faults, and choices of data but for first options. */
export function sizeOf({ script, orderings, faults, data }: Repro): number {
  return script.length + orderings.length + faults.length + data.filter((index) => index > 0).length;
}
