import { type Arbitrary, stringify } from "fast-check";
import { ScenarioError, type World } from "../../sim/scenario.ts";
import { type CheckedResult, checked } from "./checked.ts";
import type { GenerationParameters } from "./parameters.ts";
import { observedProperty, type RacePropertyOptions } from "./race-property.ts";
import { Together } from "./together.ts";

export type ExploredValues = {
  readonly result: CheckedResult;
  /** The values that fail, and how fast-check comes back to them; empty where all held. */
  readonly told: readonly string[];
};

/** Explores every value that fast-check makes, and tells its first failure or what all came to together. */
export async function exploredValues(
  name: string,
  arbitraries: unknown,
  body: (world: World, ...values: never[]) => unknown,
  options: Omit<RacePropertyOptions, "name">,
  parameters: GenerationParameters<[unknown, ...unknown[]]>,
): Promise<ExploredValues> {
  const together = new Together();
  const property = observedProperty(listOf(name, arbitraries), body, { ...options, name }, (each) =>
    together.add(each),
  );
  const result = await checked(property.scenario, property, options.seed ?? name, parameters, together);
  const { counterexample, fastCheck } = result;
  if (counterexample === null) return { result, told: [] };
  const values = counterexample.map((value) => stringify(value)).join(", ");
  const again = `fast-check: { seed: ${fastCheck.seed}, path: "${fastCheck.path}", endOnFailure: true }`;
  return { result, told: [`  with ${values}`, `  ${again}`] };
}

function listOf(name: string, arbitraries: unknown): readonly Arbitrary<unknown>[] {
  const list: readonly unknown[] = Array.isArray(arbitraries) ? arbitraries : [arbitraries];
  if (list.every(isArbitrary)) return list;
  throw new ScenarioError(`Cannot make the race "${name}": expected an arbitrary of fast-check, or a list of them`);
}

function isArbitrary(value: unknown): value is Arbitrary<unknown> {
  return typeof value === "object" && value !== null && "generate" in value && typeof value.generate === "function";
}
