import type { Arbitrary, IAsyncPropertyWithHooks } from "fast-check";
import type { ExploreResult } from "../../repro/explore.ts";
import type { ExploreOptions } from "../../sim/result.ts";
import { type Scenario, ScenarioError, scenario, type World } from "../../sim/scenario.ts";
import { type Judging, judgingProperty } from "./judging.ts";
import { Preconditions } from "./preconditions.ts";
import { fresh, isJson } from "./values.ts";

/** Builds the code under test for one value and says what must hold; runs once for each execution. */
export type RaceBody<Ts extends readonly unknown[]> = (world: World, ...values: Ts) => unknown;

/** `executions` is the budget for each value, 100 unless said. */
export type RacePropertyOptions = Omit<ExploreOptions, "script"> & {
  /** The scenario's name in reports and repros. */
  readonly name?: string;
};

/** A property for `fc.assert` and `fc.check`. */
export type RaceProperty<Ts> = IAsyncPropertyWithHooks<Ts> & {
  /** Replays a repro: its script has one value for each arbitrary. */
  readonly scenario: Scenario;
};

/** One arbitrary for each value of a list. */
export type Arbitraries<Ts extends readonly unknown[]> = { [Index in keyof Ts]: Arbitrary<Ts[Index]> };

export function raceProperty<T>(
  arbitrary: Arbitrary<T>,
  body: RaceBody<[T]>,
  options?: RacePropertyOptions,
): RaceProperty<[T]>;
export function raceProperty<Ts extends [unknown, ...unknown[]]>(
  arbitraries: Arbitraries<Ts>,
  body: RaceBody<Ts>,
  options?: RacePropertyOptions,
): RaceProperty<Ts>;
/**
 * Makes a property that explores the schedules of every generated value. When one fails, value and schedule are shrunk
 * together. `fc.pre()` turns a value away wherever it is called. Throws ScenarioError on a wrong shape.
 */
export function raceProperty(
  arbitraries: Arbitrary<unknown> | readonly Arbitrary<unknown>[],
  body: (world: World, ...values: never[]) => unknown,
  options: RacePropertyOptions = {},
): RaceProperty<[unknown, ...unknown[]]> {
  return observedProperty(arbitraries, body, options, () => undefined);
}

/** The same for somebody who wants to know what became of every value that was run. */
export function observedProperty(
  arbitraries: Arbitrary<unknown> | readonly Arbitrary<unknown>[],
  body: (world: World, ...values: never[]) => unknown,
  options: RacePropertyOptions,
  judged: (result: ExploreResult) => void,
): RaceProperty<[unknown, ...unknown[]]> {
  const { name = "race property", ...explored } = options;
  const [first, ...others] = "generate" in arbitraries ? [arbitraries] : arbitraries;
  if (first === undefined) throw new ScenarioError(`Cannot make "${name}": expected an arbitrary, found none`);
  if (typeof body !== "function") throw new ScenarioError(`Cannot make "${name}": expected a body, found none`);
  const run: (...given: unknown[]) => unknown = (...given) => Reflect.apply(body, undefined, given);
  const judging: Judging = {
    name,
    options: explored,
    judged,
    trial(values) {
      const preconditions = new Preconditions();
      const subject = scenario(name, (world) =>
        preconditions.noting(() => run(preconditions.world(world), ...values.map(fresh))),
      );
      const script = values.every(isJson) ? values.map(fresh) : [];
      return { scenario: subject, script, turnedAway: () => preconditions.failed };
    },
  };
  const count = others.length + 1;
  const replayed = scenario(name, { script: { parse: (script) => valuesOf(name, script, count) } }, (world, script) =>
    run(world, ...valuesOf(name, script, count).map(fresh)),
  );
  return Object.assign(judgingProperty([first, ...others], judging), { scenario: replayed });
}

function valuesOf(name: string, script: unknown, count: number): readonly unknown[] {
  if (Array.isArray(script) && script.length === count) return script;
  const found = Array.isArray(script) ? `${script.length}` : "no list";
  throw new ScenarioError(
    `Cannot run "${name}": expected a script of ${count === 1 ? "1 value" : `${count} values`}, found ${found}; what is no JSON is replayed by fast-check's seed and path`,
  );
}
