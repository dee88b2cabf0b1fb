import { planOf } from "../sim/bounds.ts";
import type { Execution } from "../sim/execution.ts";
import { describeLeaks } from "../sim/native/leaks/detector.ts";
import { hasWaits } from "../sim/native/wait-graph.ts";
import { worldIndex } from "../sim/random.ts";
import type { SourceLocation, Violation } from "../sim/result.ts";
import { type Settings, withRunner } from "../sim/runner.ts";
import type { Scenario } from "../sim/scenario.ts";
import { ScheduleChooser } from "../sim/schedule.ts";
import { decodeChoices, type RecordedChoices } from "./choices.ts";
import { judge } from "./judge.ts";
import { quoted } from "./quoted.ts";
import { checkRepro, type Repro, ReproError } from "./repro.ts";
import { type FirstDifference, StrictChooser } from "./strict.ts";

export type ReplayResult = {
  readonly outcome: "held" | "violated" | "no-longer-fits" | "leaked" | "diverged";
  /** Orderings and faults that came about, in words. */
  readonly met: readonly string[];
  readonly unmet: readonly string[];
  /** Deliveries that the repro names and the execution never had. */
  readonly neverAppeared: readonly string[];
  /** The first step at which strict replay no longer fits. */
  readonly firstDifference?: FirstDifference;
  /** What was violated, which may be something else than the repro says. */
  readonly violation?: Violation;
  /** Where and what has leaked. */
  readonly where?: SourceLocation | null;
  readonly detail?: string;
};

export type ReplayOptions = { readonly mode?: "strict" | "best-effort" };

/**
 * Replays a repro against a scenario, which may be another one of the same family. Strict (the default for a failure
 * that carries its choices) follows every choice or says where it no longer fits; best-effort follows the orderings and
 * says which were met. Runs twice and compares. Throws ReproError, ScenarioError and ExploreOptionsError.
 */
export async function replay(scenario: Scenario, repro: Repro, options: ReplayOptions = {}): Promise<ReplayResult> {
  const checked = checkRepro(repro, "the repro");
  const mode = modeOf(checked, options);
  const choices = choicesOf(checked, mode);
  const settings = settingsOf(scenario, checked, choices);
  // The failing execution is the last of its campaign; without its choices, its number seeds the world's streams.
  const { strategy, executions } = checked.foundBy;
  const execution = choices?.bounds.index ?? worldIndex(strategy, Math.max(0, executions - 1));
  return withRunner(scenario, settings, async (runner) => {
    const strict = mode === "strict" && choices !== null ? new StrictChooser(choices) : null;
    const told = await runner.run(strict ?? new ScheduleChooser(checked), {
      stacks: true,
      execution,
      watch: "origins",
    });
    const leaks = runner.leaks();
    const judged = judge(checked, told);
    if (leaks.length > 0) {
      return { outcome: "leaked", ...judged, where: leaks[0]?.where ?? null, detail: describeLeaks(leaks) };
    }
    let { violation } = told;
    // A livelock has been confirmed by a count already, and is slow to see again.
    if (told.violation?.kind !== "livelock") {
      const chooser = strict !== null && choices !== null ? new StrictChooser(choices) : new ScheduleChooser(checked);
      // Known to end by now, so it may be watched for the wait-for graph.
      const closely = hasWaits(violation) ? ({ stacks: true, watch: "origins", waits: true } as const) : {};
      const again = await runner.run(chooser, { execution, ...closely });
      if (traceOf(told) !== traceOf(again)) return { outcome: "diverged", ...judged };
      if (hasWaits(violation)) violation = again.violation;
    }
    const firstDifference = strict?.firstDifference() ?? null;
    if (firstDifference !== null) return { outcome: "no-longer-fits", ...judged, firstDifference };
    if (violation !== null) return { outcome: "violated", ...judged, violation };
    const fits = judged.unmet.length === 0 && judged.neverAppeared.length === 0;
    return { outcome: fits ? "held" : "no-longer-fits", ...judged };
  });
}

function modeOf(repro: Repro, { mode }: ReplayOptions): "strict" | "best-effort" {
  if (mode === undefined) return repro.choices !== null && repro.expect === "violation" ? "strict" : "best-effort";
  if (mode !== "strict" && mode !== "best-effort") {
    throw new ReproError(`Cannot replay: expected mode "strict" or "best-effort", found ${quoted(mode)}`);
  }
  return mode;
}

function choicesOf(repro: Repro, mode: "strict" | "best-effort"): RecordedChoices | null {
  if (repro.choices === null) {
    if (mode === "best-effort") return null;
    throw new ReproError('Cannot replay strictly: expected choices, found null; replay it with mode "best-effort"');
  }
  try {
    return decodeChoices(repro.choices);
  } catch (error) {
    // Best-effort needs the bounds at most, and is what is left when the choices can no longer be read.
    if (mode === "best-effort" && error instanceof ReproError) return null;
    throw error;
  }
}

function settingsOf(scenario: Scenario, repro: Repro, choices: RecordedChoices | null): Settings {
  let ticks = 1;
  for (const { kind, arg } of repro.faults) if (kind === "late" && arg !== undefined) ticks = Math.max(ticks, arg);
  for (const { tick } of choices?.steps ?? []) ticks = Math.max(ticks, tick);
  const { settings } = planOf(scenario, {
    level: repro.level,
    seed: repro.foundBy.seed,
    jitterTicks: ticks,
    ...(repro.script.length === 0 ? {} : { script: repro.script }),
    ...(choices === null ? {} : { stepLimit: choices.bounds.stepLimit, overtakes: choices.bounds.overtakes }),
  });
  return settings;
}

/** What two executions must have in common to be the same. */
function traceOf({ steps, violation, data }: Execution): string {
  const placed = steps.map(({ name, possible, chosen, tick, fault, nowMs }) => [
    name,
    possible,
    chosen,
    tick,
    fault,
    nowMs,
  ]);
  return JSON.stringify([placed, data, violation?.kind, violation?.name, violation?.at]);
}
