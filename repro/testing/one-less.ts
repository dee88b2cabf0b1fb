/** Every repro with exactly one element less, and which of them still fail in the same way: none may. */
import { ExploreOptionsError } from "../../sim/bounds.ts";
import { type Scenario, ScenarioError } from "../../sim/scenario.ts";
import { replay } from "../replay.ts";
import type { Repro } from "../repro.ts";

export type OneLess = { readonly without: string; readonly repro: Repro };

/** A step of the script, an ordering, a fault or a tick of a late arrival taken away, a choice of data set to 0. */
export function oneLess(repro: Repro): OneLess[] {
  const { script, orderings, faults, data } = repro;
  const less = (without: string, change: Partial<Repro>): OneLess => ({
    without,
    repro: { ...repro, choices: null, ...change },
  });
  return [
    // A repro without a script plays the scenario's own.
    ...(script.length < 2 ? [] : script.map((_, at) => less(`step ${at + 1}`, { script: script.toSpliced(at, 1) }))),
    ...orderings.map(({ first, then }, at) =>
      less(`${first} before ${then}`, { orderings: orderings.toSpliced(at, 1) }),
    ),
    ...faults.map(({ at: name, kind }, at) => less(`${name} made ${kind}`, { faults: faults.toSpliced(at, 1) })),
    ...faults.flatMap((fault, at) => {
      const { at: name, kind, arg = 1 } = fault;
      return kind !== "late" || arg < 2
        ? []
        : [less(`a tick of ${name}`, { faults: faults.with(at, { ...fault, arg: arg - 1 }) })];
    }),
    ...data.flatMap((index, at) => (index === 0 ? [] : [less(`choice ${at + 1}`, { data: data.with(at, 0) })])),
  ];
}

/** What could be taken from a repro without its failure going away. */
export async function needlessIn(scenario: Scenario, repro: Repro): Promise<readonly string[]> {
  const needless: string[] = [];
  for (const less of oneLess(repro)) {
    if (await failsAlike(scenario, less.repro)) needless.push(less.without);
  }
  return needless;
}

async function failsAlike(scenario: Scenario, repro: Repro): Promise<boolean> {
  try {
    const { outcome, violation } = await replay(scenario, repro);
    return outcome === "violated" && violation?.name === repro.violates;
  } catch (error) {
    // What the scenario does not take, or cannot play, is no smaller repro.
    if (error instanceof ExploreOptionsError || error instanceof ScenarioError) return false;
    throw error;
  }
}
