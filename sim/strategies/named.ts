/** Every strategy that can be used by name. */
import type { Coverage } from "../race-coverage.ts";
import type { StreamSeed } from "../random.ts";
import type { Level, StrategyName } from "../result.ts";
import type { Strategy } from "../strategy.ts";
import { DepthFirst } from "./depth-first.ts";
import { FirstCome } from "./first-come.ts";
import { Placement } from "./placement.ts";
import { Portfolio } from "./portfolio.ts";
import { RandomWalk } from "./random.ts";

/** What a strategy is told of the campaign it works for. */
export type StrategyContext = {
  /** Starts the schedule's own random stream. */
  readonly seed: StreamSeed;
  readonly level: Level;
  /** The longest delay at level jitter, in ticks; null: measured. */
  readonly jitterTicks: number | null;
  /** How many executions the campaign may run. */
  readonly executions: number;
  /** Which races were tried so far. */
  readonly coverage: Coverage;
};

export function strategyNamed(name: StrategyName, context: StrategyContext): Strategy {
  const { seed, level, jitterTicks, executions } = context;
  switch (name) {
    case "first-come":
      return new FirstCome(level === "jitter");
    case "placement":
      return new Placement(seed, level);
    case "random":
      return new RandomWalk(seed, level);
    case "depth-first":
      return new DepthFirst(level, jitterTicks);
    default:
      return new Portfolio(seed, level, jitterTicks, executions);
  }
}
