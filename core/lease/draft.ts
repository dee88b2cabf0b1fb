/**
 * The state while one transition writes to it, with what has been said so far. It is a copy: the state that the transition
 * was given stays as it was. What stands here looks things up and takes them out; none of it knows a rule.
 */
import type { LeaseCall, LeaseChild, LeaseEffect, LeasePolicy, LeaseState } from "./state.ts";

export type Draft = {
  readonly policy: LeasePolicy;
  readonly children: Map<string, LeaseChild>;
  readonly calls: Map<string, LeaseCall>;
  queue: readonly string[];
  nextFence: number;
  /** Kept for good, so only a close copies it. */
  closed: ReadonlyMap<string, number>;
  readonly effects: LeaseEffect[];
};

/** Finds the call or child with this id; they share no id. */
export function leaseOf(state: LeaseState, id: string): LeaseCall | LeaseChild | undefined {
  return state.calls.get(id) ?? state.children.get(id);
}

/** Returns the calls that run now, in order of request. */
export function running(draft: Draft): [string, LeaseCall][] {
  return [...draft.calls].filter(([, call]) => call.stage === "granted");
}

/** Ends a call or child, whatever its stage, and says so. Its intent goes with it; the pump takes it out of the queue. */
export function drop(draft: Draft, id: string, ...effects: readonly LeaseEffect[]): void {
  draft.calls.delete(id);
  draft.children.delete(id);
  draft.effects.push(...effects);
}
