/** The ways to declare a race, as Vitest has them for tests. */
import type { ExploreOptions } from "../../sim/result.ts";
import type { Scenario, ScenarioBody, ScenarioOptions, World } from "../../sim/scenario.ts";
import type { GenerationParameters } from "../fast-check/parameters.ts";

export type RaceOptions = ExploreOptions &
  Omit<ScenarioOptions, "script"> & {
    /** Where the repro of a failure goes. */
    readonly out?: string;
    /** A goal that was never reached is no failure. */
    readonly allowUnreached?: boolean;
  };

/** `executions` is the budget for each value, 100 unless said. */
export type RacePropOptions<Values> = Omit<RaceOptions, "script" | "isolate"> & {
  /** For fast-check: `numRuns`, `examples` and the like. Its seed follows from `seed` unless it is given here. */
  readonly parameters?: GenerationParameters<Values>;
};

/** The races of one kind: all of them, or those that are the only ones to run, or are skipped. */
export type RaceKind = {
  (subject: Scenario, options?: RaceOptions): void;
  (name: string, body: ScenarioBody): void;
  (name: string, options: RaceOptions, body: ScenarioBody): void;
  /** One race for each case; the name is formatted as `test.each` does, and lists are spread. */
  readonly each: RaceEach;
  /** One race for all values that fast-check generates. */
  readonly prop: RaceProp;
};

export type Race = RaceKind & {
  readonly only: RaceKind;
  readonly skip: RaceKind;
  /** Passes where the race fails. */
  readonly fails: RaceKind;
  readonly skipIf: (condition: unknown) => RaceKind;
  readonly runIf: (condition: unknown) => RaceKind;
  readonly todo: (name: string) => void;
};

export type RaceEach = {
  <Row extends readonly unknown[] | readonly [unknown]>(rows: readonly Row[]): RaceOfCases<Row>;
  <Case>(cases: readonly Case[]): RaceOfCases<readonly [Case]>;
  (table: TemplateStringsArray, ...values: unknown[]): RaceOfCases<readonly [Readonly<Record<string, unknown>>]>;
};

export type RaceOfCases<Row extends readonly unknown[]> = {
  (name: string, body: (world: World, ...row: Row) => unknown): void;
  (name: string, options: RaceOptions, body: (world: World, ...row: Row) => unknown): void;
};

export type RaceProp = {
  <T>(
    name: string,
    arbitrary: ArbitraryOf<T>,
    body: (world: World, value: T) => unknown,
    options?: RacePropOptions<[T]>,
  ): void;
  <Ts extends [unknown, ...unknown[]]>(
    name: string,
    arbitraries: { [Index in keyof Ts]: ArbitraryOf<Ts[Index]> },
    body: (world: World, ...values: Ts) => unknown,
    options?: RacePropOptions<Ts>,
  ): void;
};

/** What is seen of fast-check's `Arbitrary<T>`, whichever version of it made one. */
export type ArbitraryOf<T> = { generate(random: never, biasFactor: never): { readonly value_: T } };
