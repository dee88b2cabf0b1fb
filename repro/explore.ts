import type { ExploreOptions, Level, RaceCoverage, Reached, Verdict, Violation } from "../sim/result.ts";
import type { Scenario } from "../sim/scenario.ts";
import { search, type Unviolated } from "../sim/search.ts";
import { encodeChoices } from "./choices.ts";
import { type Explained, type ExtraExecutions, explain, type Found, strongerThan } from "./explain.ts";
import type { Repro } from "./repro.ts";
import { isSameViolation } from "./shrink.ts";
import type { Swap } from "./swap.ts";
import type { Telling } from "./telling.ts";
import { titleOf } from "./title.ts";

/** A violation comes with its repro; everything else is as the search has found it. */
export type ExploreResult =
  | Unviolated
  | {
      readonly outcome: "violated";
      readonly violation: Violation;
      readonly verdict: Verdict;
      readonly repro: Repro;
      readonly executions: number;
      readonly reached: Reached;
      /** Which conflicting deliveries were seen in both orders before the failure. */
      readonly races: RaceCoverage;
      readonly seed: string;
      /** Sources and labels that were open more than once at a time: a `key` would tell their deliveries apart. */
      readonly ambiguous: readonly string[];
      /** The passing execution that differs by the critical pair alone, beside the failing one; null without a pair. */
      readonly swap?: Swap | null;
      /** Who asked for what matters, what choices came out as, and what was noted last. */
      readonly telling?: Telling | null;
      /** Executions that were run after the search, to explain what it found. */
      readonly extra?: ExtraExecutions;
    };

const verdicts: Readonly<Record<Level, Verdict>> = { spec: "bug", jitter: "fragile", free: "unordered" };

/** After a failure at a weaker level, each stronger one is searched once more with at most so many executions. */
const strongerExecutions = 500;

/**
 * Searches the schedules of a scenario for one that violates something; what it finds is shrunk, explained by a
 * critical pair and returned as a repro. Throws ExploreOptionsError and ScenarioError.
 */
export async function explore(scenario: Scenario, options: ExploreOptions = {}): Promise<ExploreResult> {
  const found = await search(scenario, options);
  if (found.outcome !== "violated") return found;
  const explained = await explain(scenario, found, options.script);
  const stronger = await searchStronger(scenario, found, explained.level, options);
  const [origin, told] = stronger ?? [found, explained];
  const repro = reproOf(scenario, origin, told, told.script ?? []);
  return {
    outcome: "violated",
    violation: told.violation,
    verdict: repro.verdict,
    repro,
    executions: origin === found ? found.executions : found.executions + origin.executions,
    reached: found.reached,
    races: found.races,
    seed: found.seed,
    ambiguous: [...new Set([...found.ambiguous, ...origin.ambiguous])].sort(),
    swap: told.swap,
    telling: told.telling,
    extra: told.extra,
  };
}

/** Looks for the same violation at stronger levels, on the same engine: to call a bug fragile would be the worse mistake. */
async function searchStronger(
  scenario: Scenario,
  weaker: Found,
  than: Level,
  options: ExploreOptions,
): Promise<readonly [Found, Explained] | null> {
  const executions = Math.min(options.executions ?? strongerExecutions, strongerExecutions);
  const { engine } = weaker.settings;
  for (const level of strongerThan(than)) {
    const found = await search(scenario, { ...options, level, engine, executions });
    if (found.outcome === "violated" && isSameViolation(weaker.violation, found.violation))
      return [found, await explain(scenario, found, options.script)];
  }
  return null;
}

/** The repro of a failing execution that was explained. */
export function reproOf(scenario: Scenario, found: Found, told: Explained, script: readonly unknown[]): Repro {
  const { overtakes, stepLimit } = found.settings;
  const { schedule, execution, violation, level } = told;
  return {
    format: 1,
    scenario: scenario.name,
    title: titleOf(violation),
    violates: violation.name,
    level,
    verdict: verdicts[level],
    expect: "violation",
    script,
    faults: schedule.faults,
    data: schedule.data,
    orderings: schedule.orderings,
    criticalPair: told.pair?.pair ?? null,
    choices: encodeChoices(execution, { index: told.index, overtakes, stepLimit }),
    foundBy: { strategy: found.strategy, seed: found.seed, executions: found.executions },
  };
}
