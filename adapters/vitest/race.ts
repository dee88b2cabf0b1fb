import { join } from "node:path";
import { test } from "vitest";
import { type ExploreResult, explore } from "../../repro/explore.ts";
import { reproFileName, writeRepro } from "../../repro/repro-file.ts";
import type { ExploreOptions } from "../../sim/result.ts";
import {
  isScenario,
  type Scenario,
  type ScenarioBody,
  ScenarioError,
  type ScenarioOptions,
  scenario,
} from "../../sim/scenario.ts";
import { RaceError } from "./race-error.ts";

export type RaceOptions = ExploreOptions &
  Omit<ScenarioOptions, "script"> & {
    /** Where the repro of a failure goes. */
    readonly out?: string;
    /** A goal that was never reached is no failure. */
    readonly allowUnreached?: boolean;
  };

export function race(subject: Scenario, options?: RaceOptions): void;
export function race(name: string, body: ScenarioBody): void;
export function race(name: string, options: RaceOptions, body: ScenarioBody): void;
/**
 * Declares a Vitest test that explores a scenario and fails with the orderings, the deciding swap and the path of the
 * repro. A goal that was never reached fails it too.
 */
export function race(
  subject: Scenario | string,
  optionsOrBody: RaceOptions | ScenarioBody = {},
  bodyAfterOptions?: ScenarioBody,
): void {
  const options = typeof optionsOrBody === "function" ? {} : optionsOrBody;
  const body = typeof optionsOrBody === "function" ? optionsOrBody : bodyAfterOptions;
  const target = isScenario(subject) ? subject : madeFrom(subject, options, body);
  // A search is bounded by its own budget, so the runner's time-out would only cut off the explanation.
  test(target.name, { timeout: 0 }, async () => {
    const { out = ".microloom", allowUnreached = false, isolate: _isolate, ...explored } = options;
    const result = await explore(target, explored);
    const failed = result.outcome !== "held" || (result.reached.missing.length > 0 && !allowUnreached);
    if (failed) throw new RaceError(target.name, result, await keep(target.name, result, out));
  });
}

function madeFrom(name: string, options: RaceOptions, body: ScenarioBody | undefined): Scenario {
  if (body === undefined) throw new ScenarioError(`Cannot make the race "${name}": expected a body, found none`);
  const { isolate, stepLimit } = options;
  const made = { ...(isolate === undefined ? {} : { isolate }), ...(stepLimit === undefined ? {} : { stepLimit }) };
  return scenario(name, made, body);
}

async function keep(name: string, result: ExploreResult, out: string): Promise<string | null> {
  if (result.outcome !== "violated") return null;
  const path = join(out, reproFileName(name));
  try {
    await writeRepro(path, result.repro);
    return path;
  } catch {
    // A read-only folder costs the file, not the explanation.
    return null;
  }
}
