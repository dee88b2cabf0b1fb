/** When the host has to tick. The reducer has no clock: a limit that nobody ticks for is a limit that does not exist. */
import { checkArguments } from "./input.ts";
import type { LeaseCall, LeaseChild, LeasePolicy, LeaseState } from "./state.ts";

/** Returns the earliest time at which a tick changes something, or null when there is nothing to wait for. */
export function nextDeadlineMs(policy: LeasePolicy, state: LeaseState): number | null {
  checkArguments(policy, state);
  const stuck = ({ owner }: LeaseCall | LeaseChild) => stuckAtMs(policy, state, owner);
  const earliestMs = Math.min(
    // A closed owner has only running calls and children left, and what runs has no deadline of its own.
    ...[...state.calls.values()].map((call) => call.deadlineMs ?? stuck(call)),
    ...[...state.children.values()].map(stuck),
  );
  return earliestMs === Infinity ? null : earliestMs;
}

/** Returns when what still runs for the owner counts as stuck: never, while the owner is open. */
export function stuckAtMs(policy: LeasePolicy, state: LeaseState, owner: string): number {
  return (state.closed.get(owner) ?? Infinity) + policy.stuckLimitMs;
}
