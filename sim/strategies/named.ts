/** Every strategy that can be used by name. */
import type { Coverage } from "../race-coverage.ts";
import type { StreamSeed } from "../random.ts";
import type { Level, StrategyName } from "../result.ts";
import type { Strategy } from "../strategy.ts";
import { delayBounded } from "./delay-bounded.ts";
import { DepthFirst } from "./depth-first.ts";
import { Dpor } from "./dpor.ts";
import { FirstCome } from "./first-come.ts";
import { Orderings } from "./orderings.ts";
import { pct } from "./pct.ts";
import { Placement } from "./placement.ts";
import { Portfolio } from "./portfolio.ts";
import { pos } from "./pos.ts";
import { RandomWalk } from "./random.ts";
import { Starve } from "./starve.ts";
import { surw } from "./surw.ts";
import { urw } from "./urw.ts";

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

const insideDrains = "what arrives inside the drain of another delivery depends on it, so every order counts";

export function strategyNamed(name: StrategyName, context: StrategyContext): Strategy {
  const { seed, level, jitterTicks } = context;
  switch (name) {
    case "first-come":
      return new FirstCome(level === "jitter");
    case "placement":
      return new Placement(seed, level);
    case "starve":
      return new Starve(seed);
    case "random":
      return new RandomWalk(seed, level);
    case "pct":
      return pct(seed);
    case "pos":
      return pos(seed);
    case "urw":
      return urw(seed);
    case "surw":
      return surw(seed);
    case "orderings":
      return new Orderings(seed, level);
    case "delay-bounded":
      return delayBounded(seed);
    case "depth-first":
      return new DepthFirst(level, jitterTicks);
    case "dpor":
      return level === "jitter" ? new DepthFirst(level, jitterTicks, insideDrains) : new Dpor();
    default:
      return new Portfolio(context);
  }
}
