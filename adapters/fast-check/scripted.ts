import type { Arbitrary } from "fast-check";
import { planOf } from "../../sim/bounds.ts";
import type { ExploreOptions } from "../../sim/result.ts";
import { type Scenario, ScenarioError, scenario as scenarioOf, scenarioParts } from "../../sim/scenario.ts";
import { type CheckedResult, checked } from "./checked.ts";
import { judgingProperty } from "./judging.ts";
import type { GenerationParameters } from "./parameters.ts";
import { Together } from "./together.ts";

/** `executions` is the budget for each script, 100 unless said. */
export type ScriptedOptions = Omit<ExploreOptions, "script"> & {
  /** For fast-check: how many scripts (`numRuns`), examples and the like. */
  readonly parameters?: GenerationParameters<[unknown, ...unknown[]]>;
};

/**
 * Explores a scenario under scripts that an arbitrary makes. When one fails, script and schedule are shrunk together,
 * and the repro carries both. Throws ScenarioError where the scenario takes no script, and what `explore` throws.
 */
export async function scripted<Step>(
  scenario: Scenario,
  arbitrary: Arbitrary<readonly Step[]>,
  options: ScriptedOptions = {},
): Promise<CheckedResult> {
  const { parameters = {}, ...explored } = options;
  const { name } = scenario;
  if (scenarioParts(scenario).options.script === undefined) {
    throw new ScenarioError(
      `Cannot explore "${name}" under scripts: expected a scenario with a script schema, found none`,
    );
  }
  const together = new Together();
  const property = judgingProperty([arbitrary], {
    name,
    options: explored,
    judged: (result) => together.add(result),
    trial([script]) {
      if (!Array.isArray(script)) {
        throw new ScenarioError(`Cannot explore "${name}" under scripts: expected an arbitrary of lists`);
      }
      return { scenario: under(scenario, script), script, turnedAway: () => false };
    },
  });
  return checked(scenario, property, explored.seed ?? name, parameters, together);
}

/** The scenario with a script that it was given for good: fast-check shrinks it, and nobody else. */
function under(scenario: Scenario, script: readonly unknown[]): Scenario {
  const { options, body } = scenarioParts(scenario);
  const parsed = planOf(scenario, { script }).settings.script ?? [];
  const { script: _, ...others } = options;
  return scenarioOf(scenario.name, others, (world, _script, isolated) => body(world, parsed, isolated));
}
