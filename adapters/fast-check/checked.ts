import { check, type IAsyncProperty } from "fast-check";
import type { ExploreResult } from "../../repro/explore.ts";
import { type Scenario, ScenarioError } from "../../sim/scenario.ts";
import { type GenerationParameters, seeded } from "./parameters.ts";
import { RacePropertyError } from "./race-property-error.ts";
import type { Together } from "./together.ts";

/** Of a value that fails, what `explore` says; of all of them together where all hold. */
export type CheckedResult = ExploreResult & {
  /** How fast-check comes back to it: `path` is null where all held. */
  readonly fastCheck: { readonly seed: number; readonly path: string | null; readonly values: number };
  /** What fast-check has shrunk; null where all held. */
  readonly counterexample: readonly unknown[] | null;
};

/** Has fast-check run a judging property, whose results go to `together`. */
export async function checked<Values extends readonly unknown[]>(
  { name }: Scenario,
  property: IAsyncProperty<Values>,
  seed: string,
  parameters: GenerationParameters<Values>,
  together: Together,
): Promise<CheckedResult> {
  const details = await check(property, seeded(parameters, seed));
  const { failed, interrupted, errorInstance, counterexample } = details;
  const fastCheck = { seed: details.seed, path: details.counterexamplePath, values: together.count };
  if (errorInstance instanceof RacePropertyError) return { ...errorInstance.result, fastCheck, counterexample };
  if (counterexample !== null) throw errorInstance;
  if (failed && !interrupted) {
    throw new ScenarioError(
      `Cannot explore "${name}": ${details.numSkips} generated values were turned away after ${details.numRuns} that were not; generate more of what fits`,
    );
  }
  if (failed)
    throw new ScenarioError(
      `Cannot explore "${name}" to its end: fast-check interrupted it after ${details.numRuns} values`,
    );
  return { ...together.held(seed, interrupted), fastCheck, counterexample: null };
}
