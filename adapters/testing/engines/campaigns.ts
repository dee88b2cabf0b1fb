/** One campaign on one engine, told as data that another engine's can be compared with. */
import { planOf } from "../../../sim/bounds.ts";
import { Campaign } from "../../../sim/campaign.ts";
import type { Engine } from "../../../sim/native/engine.ts";
import type {
  EngineName,
  ExploreOptions,
  Level,
  RaceCoverage,
  SourceLocation,
  StrategyName,
} from "../../../sim/result.ts";
import { withRunner } from "../../../sim/runner.ts";
import type { Scenario } from "../../../sim/scenario.ts";

export type Asked = { readonly scenario: Scenario; readonly level: Level; readonly strategy: StrategyName };

const ways: readonly (readonly [Level, StrategyName])[] = [
  ["jitter", "random"],
  ["spec", "portfolio"],
  ["jitter", "portfolio"],
  ["spec", "random"],
  ["spec", "depth-first"],
  ["jitter", "depth-first"],
];

/** Every way for each scenario; or one for each, in turn, so that all of them occur. */
export function campaignsOver(scenarios: readonly Scenario[], everyWay: boolean): readonly Asked[] {
  return scenarios.flatMap((scenario, at) =>
    ways.flatMap(([level, strategy], way) =>
      everyWay || way === at % ways.length ? [{ scenario, level, strategy }] : [],
    ),
  );
}

/** All that it has found, and beside that every trace and the longest drain. */
export async function campaignOf(
  { scenario, level, strategy }: Asked,
  engine: EngineName,
  executions: number,
): Promise<object> {
  const options: ExploreOptions = { level, strategy, engine, executions };
  const plan = planOf(scenario, options);
  return withRunner(scenario, plan.settings, async (runner) => {
    const traces = tracesOf(runner.engine);
    const result = await new Campaign(runner, plan).run();
    const found = {
      ...result,
      ...("settings" in result ? { settings: null } : {}),
      ...("races" in result ? { races: withoutAwaiting(result.races) } : {}),
    };
    return { ...found, ...traces(), longestDrain: runner.engine.companions.longestDrain };
  });
}

/** V8 shows the line that awaits a native async function. This one is asked for by our own code, behind an await. */
const askedBehindAnAwait = "agent:teardown";

function withoutAwaiting(races: RaceCoverage): RaceCoverage {
  const shown = (name: string, at: SourceLocation | null) => (name === askedBehindAnAwait ? null : at);
  const oneOrder = races.oneOrder.map((pair) => ({
    ...pair,
    firstAt: shown(pair.first, pair.firstAt),
    thenAt: shown(pair.then, pair.thenAt),
  }));
  return { ...races, oneOrder };
}

/** How many executions ended, and one number for the traces of all of them. */
function tracesOf(engine: Engine): () => { readonly ended: number; readonly traces: number } {
  const end = engine.end.bind(engine);
  let ended = 0;
  let traces = 0;
  engine.end = () => {
    end();
    ended++;
    traces = Math.imul(traces ^ engine.tracer.hash, 0x01000193) >>> 0;
  };
  return () => ({ ended, traces });
}
