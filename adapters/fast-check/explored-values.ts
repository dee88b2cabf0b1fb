import { type Arbitrary, stringify } from "fast-check";
import type { ExploreResult } from "../../repro/explore.ts";
import { ScenarioError, type World } from "../../sim/scenario.ts";
import { type CheckedResult, checked } from "./checked.ts";
import type { GenerationParameters } from "./parameters.ts";
import { observedProperty, type RaceProperty, type RacePropertyOptions } from "./race-property.ts";
import { Together } from "./together.ts";
import { isJson } from "./values.ts";

export type ExploredValues = {
  readonly result: CheckedResult;
  /** The values that fail, and how fast-check comes back to them; empty where all held. */
  readonly told: readonly string[];
  /** What brings fast-check back to values that no repro can carry; null where one does, or all held. */
  readonly again: string | null;
};

type ValuesBody = (world: World, ...values: never[]) => unknown;
type ValuesOptions = Omit<RacePropertyOptions, "name">;

/** Explores every value that fast-check makes, and tells its first failure or what all came to together. */
export async function exploredValues(
  name: string,
  arbitraries: unknown,
  body: ValuesBody,
  options: ValuesOptions,
  parameters: GenerationParameters<[unknown, ...unknown[]]>,
): Promise<ExploredValues> {
  const together = new Together();
  const property = valuesProperty(name, arbitraries, body, options, (each) => together.add(each));
  const result = await checked(property.scenario, property, options.seed ?? name, parameters, together);
  const { counterexample, fastCheck } = result;
  if (counterexample === null) return { result, told: [], again: null };
  const values = counterexample.map((value) => stringify(value)).join(", ");
  const place = `{ seed: ${fastCheck.seed}, path: "${fastCheck.path}", endOnFailure: true }`;
  const again = counterexample.every(isJson) ? null : place;
  return { result, told: [`  with ${values}`, `  fast-check: ${place}`], again };
}

/** The property of a race over values; its scenario replays a repro. Throws ScenarioError on a wrong shape. */
export function valuesProperty(
  name: string,
  arbitraries: unknown,
  body: ValuesBody,
  options: ValuesOptions,
  judged: (result: ExploreResult) => void = () => undefined,
): RaceProperty<[unknown, ...unknown[]]> {
  return observedProperty(listOf(name, arbitraries), body, { ...options, name }, judged);
}

function listOf(name: string, arbitraries: unknown): readonly Arbitrary<unknown>[] {
  const list: readonly unknown[] = Array.isArray(arbitraries) ? arbitraries : [arbitraries];
  if (list.every(isArbitrary)) return list;
  throw new ScenarioError(`Cannot make the race "${name}": expected an arbitrary of fast-check, or a list of them`);
}

function isArbitrary(value: unknown): value is Arbitrary<unknown> {
  return typeof value === "object" && value !== null && "generate" in value && typeof value.generate === "function";
}
