import { planOf } from "./bounds.ts";
import { Campaign } from "./campaign.ts";
import type { Execution } from "./execution.ts";
import type {
  Certificate,
  Estimate,
  ExploreOptions,
  HowEnded,
  Level,
  Mistaken,
  RaceCoverage,
  Reached,
  SourceLocation,
  StrategyName,
  Violation,
} from "./result.ts";
import { type Settings, withRunner } from "./runner.ts";
import type { Scenario } from "./scenario.ts";

/** What a search found that has broken nothing, or could not be trusted. */
export type Unviolated =
  | {
      readonly outcome: "held";
      readonly executions: number;
      readonly certificate: Certificate | null;
      /** Deliveries whose declared independence was found wrong: no certificate is given then. */
      readonly mistaken: readonly Mistaken[];
      readonly estimate: Estimate | null;
      readonly ended: HowEnded;
      readonly reached: Reached;
      readonly races: RaceCoverage;
      readonly seed: string;
      readonly ambiguous: readonly string[];
    }
  | {
      readonly outcome: "leaked" | "diverged";
      readonly where: SourceLocation | null;
      readonly detail: string;
      readonly executions: number;
      readonly seed: string;
    };

/** What a search found. `violated` carries the execution in full, but no repro: that is made from it elsewhere. */
export type SearchResult =
  | Unviolated
  | {
      readonly outcome: "violated";
      readonly execution: Execution;
      readonly violation: Violation;
      readonly level: Level;
      readonly settings: Settings;
      readonly strategy: StrategyName;
      /** Seeds the random streams of the failing execution's world. */
      readonly index: number;
      readonly executions: number;
      readonly reached: Reached;
      readonly races: RaceCoverage;
      readonly seed: string;
      readonly ambiguous: readonly string[];
    };

/**
 * Searches the schedules of a scenario for one that breaks something. Equal options give equal results, but for
 * `timeMs` and `signal`, which decide only how many executions run. Throws ExploreOptionsError and ScenarioError.
 */
export async function search(scenario: Scenario, options: ExploreOptions = {}): Promise<SearchResult> {
  const plan = planOf(scenario, options);
  return withRunner(scenario, plan.settings, (runner) => new Campaign(runner, plan).run());
}
