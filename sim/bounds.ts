/** Checks what a caller asks of an exploration, and fills in what was left open. */

import { engineFor, howToLower } from "./engine-choice.ts";
import type { EngineName, ExploreOptions, Level, StrategyName, Until } from "./result.ts";
import type { Settings } from "./runner.ts";
import { type Scenario, scenarioParts } from "./scenario.ts";
import { describeValue, type Verb } from "./words.ts";

/** An option has a value that cannot be used. */
export class ExploreOptionsError extends Error {
  override readonly name = "ExploreOptionsError";
}

/** Strategies that can be used by name today. */
export const strategyNames: readonly StrategyName[] = [
  ...(["portfolio", "first-come", "placement", "starve", "random", "pct", "pos"] as const),
  ...(["urw", "surw", "orderings", "delay-bounded", "depth-first", "dpor"] as const),
];
export const levelNames: readonly Level[] = ["spec", "jitter", "free"];
export const untilNames: readonly Until[] = ["spent", "flat"];
export const engineNames: readonly EngineName[] = ["native", "microtask", "auto"];

export const defaultExecutions = 2_000;
export const defaultStepLimit = 1_000;
export const defaultOvertakes = 1;
const optionNames: readonly (keyof ExploreOptions)[] = [
  ...(["level", "engine", "strategy", "executions", "timeMs", "seed"] as const),
  ...(["stepLimit", "jitterTicks", "overtakes", "script", "signal", "until"] as const),
];
const longestJitter = 10_000;

/** Everything a campaign needs to know, checked. */
export type Plan = {
  readonly settings: Settings;
  readonly strategy: StrategyName;
  readonly executions: number;
  readonly timeMs: number | null;
  readonly signal: AbortSignal | null;
  readonly until: Until;
};

/** Turns options into a plan. Throws ExploreOptionsError (or ScenarioError) naming what is wrong, and what was asked for. */
export function planOf(scenario: Scenario, options: ExploreOptions = {}, verb: Verb = "explore"): Plan {
  const parts = scenarioParts(scenario);
  if (typeof options !== "object" || options === null) {
    throw new ExploreOptionsError(`Cannot explore: expected an object of options, found ${describeValue(options)}`);
  }
  for (const key of Object.keys(options)) oneOf("every option", key, optionNames);
  const level = oneOf("level", options.level ?? "spec", levelNames);
  const asked = oneOf("engine", options.engine ?? "auto", engineNames);
  if (level === "free" && asked === "native") {
    throw new ExploreOptionsError(
      `Cannot ${verb} "${scenario.name}" at level "free": expected the engine "microtask", which alone can reorder jobs, found "native"; leave the engine out`,
    );
  }
  const engine = engineFor(scenario, asked, level);
  if (engine === null) {
    const what = level === "free" ? 'at level "free"' : 'on the engine "microtask"';
    throw new ExploreOptionsError(
      `Cannot ${verb} "${scenario.name}" ${what}: expected code that is lowered for the microtask engine, found it as it was written; ${howToLower}`,
    );
  }
  const ticks = options.jitterTicks ?? "measured";
  const settings: Settings = {
    level,
    engine,
    script: scriptOf(scenario, options.script, verb),
    seed: seedOf(options.seed ?? scenario.name),
    stepLimit: whole("stepLimit", options.stepLimit ?? parts.options.stepLimit ?? defaultStepLimit, 1),
    overtakes: whole("overtakes", options.overtakes ?? defaultOvertakes, 0),
    jitterTicks: ticks === "measured" ? null : whole("jitterTicks", ticks, 1, longestJitter),
  };
  return {
    settings,
    strategy: oneOf("strategy", options.strategy ?? "portfolio", strategyNames),
    executions: whole("executions", options.executions ?? defaultExecutions, 1),
    timeMs: options.timeMs === undefined ? null : whole("timeMs", options.timeMs, 1),
    signal: signalOf(options.signal),
    until: oneOf("until", options.until ?? "spent", untilNames),
  };
}

function oneOf<T extends string>(name: string, value: unknown, known: readonly T[]): T {
  for (const candidate of known) if (candidate === value) return candidate;
  throw new ExploreOptionsError(
    `Cannot explore: expected ${name} to be one of ${known.join(", ")}, found ${describeValue(value)}`,
  );
}

function whole(name: string, value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new ExploreOptionsError(
    `Cannot explore: expected ${name} to be a whole number ${bounds}, found ${describeValue(value)}`,
  );
}

function seedOf(value: unknown): string {
  if (typeof value === "string") return value;
  throw new ExploreOptionsError(`Cannot explore: expected seed to be a string, found ${describeValue(value)}`);
}

function signalOf(value: AbortSignal | undefined): AbortSignal | null {
  if (value === undefined) return null;
  const aborted: unknown = typeof value === "object" && value !== null ? value.aborted : undefined;
  if (typeof aborted === "boolean") return value;
  throw new ExploreOptionsError(`Cannot explore: expected signal to be an AbortSignal, found ${describeValue(value)}`);
}

function scriptOf(scenario: Scenario, script: unknown, verb: Verb): readonly unknown[] | null {
  if (script === undefined) return null;
  const schema = scenarioParts(scenario).options.script;
  if (schema === undefined) {
    throw new ExploreOptionsError(
      `Cannot ${verb} "${scenario.name}" with a script: expected a scenario with a script schema, found none`,
    );
  }
  let parsed: unknown;
  try {
    parsed = schema.parse(script);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ExploreOptionsError(`Cannot ${verb} "${scenario.name}" with this script: ${why}`);
  }
  if (Array.isArray(parsed)) return parsed;
  throw new ExploreOptionsError(
    `Cannot ${verb} "${scenario.name}" with this script: expected its schema to return a list, found ${describeValue(parsed)}`,
  );
}
