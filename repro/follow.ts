/** One replay as it is: runs a repro once by its choices or by its orderings, once more to compare, and judges what it saw. */
import { planOf } from "../sim/bounds.ts";
import type { Chooser, Execution } from "../sim/execution.ts";
import { describeLeaks } from "../sim/native/leaks/detector.ts";
import { hasCauses } from "../sim/native/wait-graph.ts";
import { worldIndex } from "../sim/random.ts";
import type { SourceLocation, Violation } from "../sim/result.ts";
import { type Settings, withRunner } from "../sim/runner.ts";
import type { Scenario } from "../sim/scenario.ts";
import { ScheduleChooser } from "../sim/schedule.ts";
import type { RecordedChoices } from "./choices.ts";
import { judge } from "./judge.ts";
import { RecordedOrderChooser } from "./recorded-order.ts";
import type { Repro } from "./repro.ts";
import { type FirstDifference, StrictChooser } from "./strict.ts";
import { type Telling, tellingOf } from "./telling.ts";

export type Answer = {
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
  /** Who asked for what matters, what choices came out as, and what was noted last; only of a violation. */
  readonly telling?: Telling;
  /** Where and what has leaked. */
  readonly where?: SourceLocation | null;
  readonly detail?: string;
};

export type Followed = {
  readonly answer: Answer;
  readonly execution: Execution;
  readonly settings: Settings;
  /** Seeds the random streams of the execution's world. */
  readonly index: number;
};

/** Who decides: the choices to the letter, the orderings, or the order of the choices with what is new in between. */
export type Lead = "choices" | "orderings" | { readonly comesFirst: (name: string) => boolean };

/**
 * Follows a checked repro; `choices` also gives the bounds. Where another condition is violated first, it may be that
 * the one that the repro is about was found by a search that left the other out: then that one alone is judged, and what
 * fails so counts. Throws ScenarioError and ExploreOptionsError.
 */
export async function follow(
  scenario: Scenario,
  repro: Repro,
  choices: RecordedChoices | null,
  lead: Lead,
): Promise<Followed> {
  const settings = settingsOf(scenario, repro, choices);
  const followed = await followUnder(settings, scenario, repro, choices, lead);
  if (!isAnotherCondition(followed.execution.violation, repro)) return followed;
  const alone = await followUnder({ ...settings, only: repro.violates }, scenario, repro, choices, lead);
  return failsAsRecorded(alone, repro) ? alone : followed;
}

function isAnotherCondition(violation: Violation | null, { violates }: Repro): boolean {
  if (violation === null || violation.name === violates) return false;
  return violation.kind === "always" || violation.kind === "quiescence";
}

function followUnder(
  settings: Settings,
  scenario: Scenario,
  repro: Repro,
  choices: RecordedChoices | null,
  lead: Lead,
): Promise<Followed> {
  // The failing execution is the last of its campaign; without its choices, its number seeds the world's streams.
  const { strategy, executions } = repro.foundBy;
  const index = choices?.bounds.index ?? worldIndex(strategy, Math.max(0, executions - 1));
  return withRunner(
    scenario,
    settings,
    async (runner) => {
      const chooser = chooserOf(repro, choices, lead);
      const told = await runner.run(chooser, {
        stacks: true,
        execution: index,
        watch: "origins",
        asked: true,
      });
      // Read before another execution is run, which keeps nothing of the kind.
      const telling = told.violation === null ? null : tellingOf(runner, told, repro.faults, repro.criticalPair);
      const leaks = runner.leaks();
      const judged = judge(repro, told);
      const seen = (answer: Answer): Followed => ({ answer, execution: told, settings, index });
      if (leaks.length > 0) {
        return seen({ outcome: "leaked", ...judged, where: leaks[0]?.where ?? null, detail: describeLeaks(leaks) });
      }
      let { violation } = told;
      // A livelock has been confirmed by a count already, and is slow to see again.
      if (told.violation?.kind !== "livelock") {
        // Known to end by now, so it may be watched for the wait-for graph.
        const closely = hasCauses(violation) ? ({ stacks: true, watch: "origins", waits: true } as const) : {};
        const again = await runner.run(chooserOf(repro, choices, lead), { execution: index, ...closely });
        if (traceOf(told) !== traceOf(again)) return seen({ outcome: "diverged", ...judged });
        if (hasCauses(violation)) violation = again.violation;
      }
      const firstDifference = chooser instanceof StrictChooser ? chooser.firstDifference() : null;
      if (firstDifference !== null) return seen({ outcome: "no-longer-fits", ...judged, firstDifference });
      if (violation !== null) {
        return seen({ outcome: "violated", ...judged, violation, ...(telling === null ? {} : { telling }) });
      }
      const fits = judged.unmet.length === 0 && judged.neverAppeared.length === 0;
      return seen({ outcome: fits ? "held" : "no-longer-fits", ...judged });
    },
    "replay",
  );
}

function chooserOf(repro: Repro, choices: RecordedChoices | null, lead: Lead): Chooser {
  if (choices === null || lead === "orderings") return new ScheduleChooser(repro);
  return lead === "choices" ? new StrictChooser(choices) : new RecordedOrderChooser(choices, lead.comesFirst);
}

/** True when what was followed ended in what the repro was recorded for. */
export function failsAsRecorded({ answer }: Pick<Followed, "answer">, repro: Repro): boolean {
  return answer.outcome === "violated" && answer.violation?.name === repro.violates;
}

function settingsOf(scenario: Scenario, repro: Repro, choices: RecordedChoices | null): Settings {
  let ticks = 1;
  for (const { kind, arg } of repro.faults) if (kind === "late" && arg !== undefined) ticks = Math.max(ticks, arg);
  for (const { tick } of choices?.steps ?? []) ticks = Math.max(ticks, tick);
  const { settings } = planOf(
    scenario,
    {
      level: repro.level,
      seed: repro.foundBy.seed,
      jitterTicks: ticks,
      ...(repro.script.length === 0 ? {} : { script: repro.script }),
      ...(choices === null ? {} : { stepLimit: choices.bounds.stepLimit, overtakes: choices.bounds.overtakes }),
    },
    "replay",
  );
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
