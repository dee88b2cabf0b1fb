/** What a campaign has done, as data that two engines can be compared by. */
import { planOf } from "../../../sim/bounds.ts";
import { Campaign } from "../../../sim/campaign.ts";
import type { Engine } from "../../../sim/native/engine.ts";
import type { ExploreOptions } from "../../../sim/result.ts";
import { withRunner } from "../../../sim/runner.ts";
import type { Scenario } from "../../../sim/scenario.ts";

export function campaignOf(scenario: Scenario, options: ExploreOptions): Promise<unknown> {
  const plan = planOf(scenario, options);
  return withRunner(scenario, plan.settings, async (runner) => {
    const traces = tracesOf(runner.engine);
    const result = await new Campaign(runner, plan).run();
    return { ...result, settings: null, traces: traces(), longestDrain: runner.engine.companions.longestDrain };
  });
}

/** How many executions ended, with one number made of the traces of all of them. */
function tracesOf(engine: Engine): () => { readonly count: number; readonly hash: number } {
  const end = engine.end.bind(engine);
  let count = 0;
  let hash = 0;
  engine.end = () => {
    end();
    count++;
    hash = Math.imul(hash ^ engine.tracer.hash, 0x01000193) >>> 0;
  };
  return () => ({ count, hash });
}
