/** What the bench measures of one strategy on one program. */
import type { ExploreOptions, StrategyName } from "../../sim/result.ts";
import type { Scenario } from "../../sim/scenario.ts";
import { type SearchResult, search } from "../../sim/search.ts";
import { fastCheckUntilViolation } from "./fast-check.ts";
import { scenarioOf } from "./microloom.ts";
import type { Program } from "./program.ts";

export type Searcher = StrategyName | "fast-check";

/** Executions until the first violation, one number for each seed; null where none was found within the cap. */
export type Found = readonly (number | null)[];

/** Strategies that draw nothing: one seed says all. */
const seedless: readonly Searcher[] = ["first-come", "depth-first", "dpor"];
export const exhaustive: readonly StrategyName[] = ["dpor", "depth-first"];

export type Budget = { readonly seeds: number; readonly cap: number; readonly declared: boolean };

export async function untilViolation(searcher: Searcher, program: Program, budget: Budget): Promise<Found> {
  const { seeds, cap, declared } = budget;
  const found: (number | null)[] = [];
  for (let seed = 1; seed <= (seedless.includes(searcher) ? 1 : seeds); seed++) {
    if (searcher === "fast-check") {
      found.push(await fastCheckUntilViolation(program, seed, cap));
    } else {
      const subject = scenarioOf(program, { declared, reported: true });
      const result = await search(subject, { strategy: searcher, executions: cap, seed: String(seed) });
      found.push(judged(result).outcome === "violated" ? result.executions : null);
    }
  }
  return found;
}

/** What it takes until every schedule is accounted for; `classes` is null where the cap came first. */
export type Total = {
  readonly classes: number | null;
  /** Executions that only repeated what was run before. */
  readonly blocked: number;
  readonly executions: number;
  readonly ms: number;
};

export function untilExhausted(
  strategy: StrategyName,
  program: Program,
  { cap, declared }: Pick<Budget, "cap" | "declared">,
): Promise<Total> {
  return exhaust(scenarioOf(program, { declared, reported: false }), { strategy, executions: cap });
}

/** Searches a scenario that must hold. */
export async function exhaust(scenario: Scenario, options: ExploreOptions): Promise<Total> {
  const start = performance.now();
  const result = judged(await search(scenario, options));
  const ms = performance.now() - start;
  if (result.outcome !== "held") throw new Error(`"${scenario.name}" reports what it is not to report`);
  const { executions, certificate } = result;
  return { classes: certificate?.classes ?? null, blocked: certificate?.blocked ?? 0, executions, ms };
}

/** A program of the bench neither leaks nor diverges. */
function judged(result: SearchResult): SearchResult {
  if (result.outcome === "leaked" || result.outcome === "diverged") {
    throw new Error(`A program of the bench has ${result.outcome}: ${result.detail}`);
  }
  return result;
}
