/** Runs what a strategy proposes until it has nothing left, whatever its executions break, and tells each in full. */
import type { Execution } from "../../execution.ts";
import { Coverage } from "../../race-coverage.ts";
import { streamSeed } from "../../random.ts";
import type { StrategyName } from "../../result.ts";
import { strategyNamed } from "../../strategies/named.ts";
import type { Exhausted } from "../../strategy.ts";
import type { Told } from "./told.ts";
import { type Subject, toldAll } from "./told-all.ts";

export type Visited = {
  readonly executions: readonly Told[];
  /** What the strategy says it has done; null: it does not say that this was all. */
  readonly exhausted: Pick<Exhausted, "classes" | "of" | "blocked"> | null;
};

/** Null when there are more than `most` executions. */
export async function byStrategy(name: StrategyName, subject: Subject, most: number): Promise<Visited | null> {
  const told = await toldAll(subject, most, () => {
    const strategy = strategyNamed(name, {
      seed: streamSeed(subject.scenario.name, "schedule"),
      level: "spec",
      jitterTicks: null,
      executions: most,
      coverage: new Coverage(),
    });
    return {
      next: (index: number) => strategy.next(index),
      again: (index: number) => strategy.again(index),
      ended: (execution: Execution) => {
        const { violation, steps } = execution;
        strategy.ended({ violated: violation !== null, deliveries: steps.length, tell: () => execution });
      },
      said: () => strategy.exhausted,
    };
  });
  return told === null ? null : { executions: told.executions, exhausted: told.choosers.said() };
}
