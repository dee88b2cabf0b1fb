/**
 * A run of the model as somebody else can play it. The model decides late who belongs to whom: a close names its own. Here
 * the owners stand in the requests, as in life.
 */
import {
  initialState,
  type LeaseEffect,
  type LeaseInput,
  type LeasePolicy,
  type LeaseStep,
} from "../../../core/lease/state.ts";
import type { ToolCall } from "../scenarios.ts";
import { type Deed, inputOf, type LeaseReducer, openOwner } from "./world.ts";

type Taken = { readonly input: Deed; readonly effects: readonly LeaseEffect[] };
type Run = { readonly steps: readonly Taken[] };

/** What an application does, in its order. `ms` of real or virtual time pass between `atMs` of one and the next. */
export type LeaseScript = {
  readonly inputs: readonly LeaseInput[];
  /** The calls of the run, as the scenarios of this folder take them: they run side by side and each is released. */
  readonly calls: readonly ToolCall[];
};

export function scriptOf({ steps }: Run): LeaseScript {
  const inputs = steps.flatMap(({ input }, place): LeaseInput[] => {
    if (input.type === "pass") return [];
    if ((input.type !== "request" && input.type !== "spawn") || input.owner !== openOwner) return [inputOf(input)];
    const owner = ownerOf(input.type === "request" ? input.call : input.child, steps.slice(place + 1));
    return [{ ...input, owner }];
  });
  const calls = new Map<string, ToolCall>();
  for (const input of inputs) {
    const isCall = input.type === "request" && !input.aborted && !calls.has(input.call);
    if (isCall) calls.set(input.call, { call: input.call, footprint: input.footprint });
  }
  return { inputs, calls: [...calls.values()] };
}

/** The first close that names it, unless the id has been given out again by then. */
function ownerOf(id: string, later: readonly Taken[]): string {
  for (const { input, effects } of later) {
    if (input.type === "close" && input.owning.includes(id)) return input.owner;
    if (effects.some((effect) => effect.type === "spawned" && effect.child === id)) break;
  }
  return openOwner;
}

/** Plays it on a reducer as it is: no normal form, owners from the beginning. */
export function play({ transition }: LeaseReducer, policy: LeasePolicy, { inputs }: LeaseScript): readonly LeaseStep[] {
  const steps: LeaseStep[] = [];
  let state = initialState();
  for (const input of inputs) {
    const step = transition(policy, state, input);
    steps.push(step);
    state = step.state;
  }
  return steps;
}
