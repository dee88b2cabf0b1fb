/** Runs the models in tests, small. */
import type { AgentEffect, AgentPolicy } from "../../../../core/agent/state.ts";
import { Explorer } from "../../../../sim/model/explorer.ts";
import type { ModelResult } from "../../../../sim/model/result.ts";
import { agentMutants, type Mutant } from "../../mutants/all.ts";
import { type Bounds, smallBounds } from "../bounds.ts";
import { agentModel } from "../model.ts";
import type { World, WorldInput } from "../world.ts";

export const usual: AgentPolicy = { parking: "unlatched", afterFailure: "park", claim: "one" };

export type AgentResult = ModelResult<World, WorldInput, AgentEffect>;

export function mutantNamed(name: string): Mutant {
  const found = agentMutants.find((mutant) => mutant.name === name);
  if (found === undefined) throw new Error(`Cannot find the mutant "${name}"`);
  return found;
}

/** Explores the model of a mutant, until it is refuted or the limit is reached. `only`: one invariant judges alone. */
export async function refute(
  { policy, transition }: Mutant,
  {
    bounds = smallBounds,
    stateLimit = 6_000,
    only = null,
  }: {
    readonly bounds?: Bounds;
    readonly stateLimit?: number;
    readonly only?: string | null;
  } = {},
): Promise<AgentResult> {
  const model = agentModel({ policy: { ...usual, ...policy }, bounds, transition });
  const named = ({ name }: { readonly name: string }) => only === null || name === only;
  const { always, everyStep, atQuiescence } = model;
  return new Explorer({
    ...model,
    always: always.filter(named),
    everyStep: everyStep.filter(named),
    atQuiescence: atQuiescence.filter(named),
  }).run({ stateLimit });
}
