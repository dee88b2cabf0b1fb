import { join } from "node:path";
import { test } from "vitest";
import { type ExploreResult, explore } from "../../repro/explore.ts";
import { reproFileName, writeRepro } from "../../repro/repro-file.ts";
import {
  isScenario,
  type Scenario,
  type ScenarioBody,
  ScenarioError,
  scenario,
  type World,
} from "../../sim/scenario.ts";
import { keptPath, replayKept } from "./kept-repro.ts";
import { RaceError } from "./race-error.ts";
import type { Race, RaceKind, RaceOptions, RacePropOptions } from "./race-types.ts";

type CaseBody = (world: World, ...row: never[]) => unknown;

// A search is bounded by its own budget, so the runner's time-out would only cut off the explanation.
const unhurried = { timeout: 0 };
const every = kindOf(test);
const skipped = kindOf(test.skip);

/**
 * Declares a Vitest test that explores a scenario and fails with the orderings, the deciding swap and the path of the
 * repro. A goal that was never reached fails it too. A repro in `repros/` beside the test is replayed first.
 */
export const race: Race = Object.assign(kindOf(test), {
  only: kindOf(test.only),
  skip: skipped,
  fails: kindOf(test.fails),
  skipIf: (condition: unknown) => (condition ? skipped : every),
  runIf: (condition: unknown) => (condition ? every : skipped),
  todo: (name: string) => test.todo(name),
});

/** The races that Vitest is told of by `declare`. */
function kindOf(declare: typeof test.only): RaceKind {
  return Object.assign(
    (subject: Scenario | string, optionsOrBody: RaceOptions | ScenarioBody = {}, bodyAfter?: ScenarioBody): void => {
      const [options, body] = typeof optionsOrBody === "function" ? [{}, optionsOrBody] : [optionsOrBody, bodyAfter];
      const target = isScenario(subject) ? subject : madeFrom(subject, options, body);
      declare(target.name, unhurried, ({ task }) => explored(target, options, task.file.filepath));
    },
    {
      each(cases: readonly unknown[], ...values: unknown[]) {
        const isTable = isTemplate(cases);
        const spread = !isTable && cases.every(Array.isArray);
        const forEach = isTable ? declare.for(cases, ...values) : declare.for(cases);
        return (name: string, optionsOrBody: RaceOptions | CaseBody, bodyAfter?: CaseBody): void => {
          const [options, body] =
            typeof optionsOrBody === "function" ? [{}, optionsOrBody] : [optionsOrBody, bodyAfter];
          forEach(name, unhurried, (row: unknown, { task }) => {
            const given = spread && Array.isArray(row) ? row : [row];
            const ofCase = body && ((world: World) => Reflect.apply(body, undefined, [world, ...given]));
            return explored(madeFrom(task.name, options, ofCase), options, task.file.filepath);
          });
        };
      },
      prop(name: string, arbitraries: unknown, body: CaseBody, options: RacePropOptions<[unknown, ...unknown[]]> = {}) {
        declare(name, unhurried, ({ task }) => exploredForAll(name, arbitraries, body, options, task.file.filepath));
      },
    },
  );
}

/** A list may be one case of many; what a template literal is called with has its raw text as well. */
function isTemplate(cases: readonly unknown[]): cases is TemplateStringsArray {
  return "raw" in cases;
}

async function explored(target: Scenario, options: RaceOptions, testFile: string): Promise<void> {
  const { out, allowUnreached, isolate: _, ...rest } = options;
  const kept = keptPath(testFile, target.name);
  await replayKept(target, kept);
  await judge(target.name, await explore(target, rest), { out, allowUnreached, keep: keepAs(kept) });
}

async function exploredForAll(
  name: string,
  arbitraries: unknown,
  body: CaseBody,
  options: RacePropOptions<[unknown, ...unknown[]]>,
  testFile: string,
): Promise<void> {
  const { out, allowUnreached, parameters = {}, ...rest } = options;
  // Loaded here, because whoever has no such race need not wait for it.
  const { exploredValues, valuesProperty } = await import("../fast-check/explored-values.ts");
  const kept = keptPath(testFile, name);
  await replayKept(valuesProperty(name, arbitraries, body, rest).scenario, kept);
  const { result, told, again } = await exploredValues(name, arbitraries, body, rest, parameters);
  // What is no JSON is in no file, and only fast-check can make it again.
  const keep = again === null ? keepAs(kept) : `give this race the option parameters: ${again}`;
  await judge(name, result, { out, allowUnreached, keep }, told);
}

function keepAs(path: string): string {
  return `move it to ${path}, and this test replays it first; once it is fixed, set "expect" to "held" and "choices" to null in it; where the fix rules that order out, remove the file`;
}

type Judgement = {
  readonly out: string | undefined;
  readonly allowUnreached: boolean | undefined;
  /** How the repro becomes a test of its own. */
  readonly keep: string;
};

/** Fails the test where the result is no pass. */
async function judge(
  name: string,
  result: ExploreResult,
  { out = ".microloom", allowUnreached = false, keep }: Judgement,
  beneath: readonly string[] = [],
): Promise<void> {
  const failed = result.outcome !== "held" || (result.reached.missing.length > 0 && !allowUnreached);
  if (!failed) return;
  const path = await written(name, result, out);
  throw new RaceError(name, result, path === null ? null : { path, keep }, beneath);
}

function madeFrom(name: string, options: RaceOptions, body: ScenarioBody | undefined): Scenario {
  if (body === undefined) throw new ScenarioError(`Cannot make the race "${name}": expected a body, found none`);
  const { isolate, stepLimit } = options;
  const made = { ...(isolate === undefined ? {} : { isolate }), ...(stepLimit === undefined ? {} : { stepLimit }) };
  return scenario(name, made, body);
}

async function written(name: string, result: ExploreResult, out: string): Promise<string | null> {
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
