/** When the host has to tick. The reducer has no clock: a limit that nobody ticks for is a limit that does not exist. */
import { checkArguments } from "./input.ts";
import type { LeasePolicy, LeaseState } from "./state.ts";

/** Returns the earliest time at which a tick changes something, or null when there is nothing to wait for. */
export function nextDeadlineMs(policy: LeasePolicy, state: LeaseState): number | null {
  checkArguments(policy, state);
  const calls = [...state.calls.values()];
  const earliestMs = Math.min(
    ...calls.map(({ deadlineMs }) => deadlineMs ?? Infinity),
    // A closed owner has only running calls and children left.
    ...[...calls, ...state.children.values()].map(({ owner }) => stuckAtMs(policy, state, owner)),
  );
  return earliestMs === Infinity ? null : earliestMs;
}

/** Returns when what still runs for the owner counts as stuck: never, while the owner is open. */
export function stuckAtMs(policy: LeasePolicy, state: LeaseState, owner: string): number {
  return (state.closed.get(owner) ?? Infinity) + policy.stuckLimitMs;
}
