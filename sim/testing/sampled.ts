/** Runs a strategy for a test, without a campaign around it: it goes on after a violation. */
import { planOf } from "../bounds.ts";
import type { Execution } from "../execution.ts";
import type { ExploreOptions } from "../result.ts";
import { withRunner } from "../runner.ts";
import { type Scenario, scenario } from "../scenario.ts";
import { FirstComeChooser, type Strategy } from "../strategy.ts";
import { namesOf } from "./executions.ts";

/** Runs at most so many executions of a strategy. What was possible, and what was noted, is told only with `detailed`. */
export async function sampled(
  subject: Scenario,
  strategy: Strategy,
  executions: number,
  options: ExploreOptions & { readonly detailed?: boolean } = {},
): Promise<readonly Execution[]> {
  const { detailed = false, ...rest } = options;
  const { settings } = planOf(subject, rest);
  return withRunner(subject, settings, async (runner) => {
    // Measures the longest drain, as a campaign does.
    if (settings.level === "jitter") await runner.run(new FirstComeChooser(true));
    const told: Execution[] = [];
    await runner.batch({
      index: 0,
      next: () => {
        const chooser = told.length < executions ? strategy.next(told.length) : null;
        runner.engine.tracer.detailed = detailed || strategy.detailed;
        return chooser;
      },
      again: () => strategy.again(told.length),
      ended: () => {
        const execution = runner.tell();
        told.push(execution);
        const { steps, violation } = execution;
        strategy.ended({ violated: violation !== null, deliveries: steps.length, tell: () => execution });
      },
    });
    return told;
  });
}

/** A scenario of chains that do nothing, one of each source: `{ a: 3 }` has the deliveries a:1#1, a:2#1, a:3#1. */
export function chains(lengths: Readonly<Record<string, number>>): Scenario {
  return scenario("chains", (world) => {
    for (const [source, length] of Object.entries(lengths)) {
      world.events(
        source,
        Array.from({ length }, (_, step) => [`${step + 1}`, () => undefined]),
      );
    }
  });
}

/** The sources of what was delivered, in order; one letter each gives a word. */
export function wordOf(execution: Execution): string {
  return execution.steps.map(({ source }) => source).join("");
}

/** How often each value occurs. */
export function countsOf(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Pearson's statistic against `kinds` values that are all equally likely. */
export function chiSquare(values: readonly string[], kinds: number): number {
  const expected = values.length / kinds;
  const counts = [...countsOf(values).values()];
  const seen = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  return seen + Math.max(0, kinds - counts.length) * expected;
}

/** True when `first` ran before `then`. */
export function ranBefore(execution: Execution, first: string, then: string): boolean {
  const names = namesOf(execution);
  return names.indexOf(first) >= 0 && names.indexOf(first) < names.indexOf(then);
}
