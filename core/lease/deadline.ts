/** When the host has to tick. The reducer has no clock: a limit that nobody ticks for is a limit that does not exist. */
import { checkArguments } from "./input.ts";
import type { LeaseCall, LeaseChild, LeasePolicy, LeaseState } from "./state.ts";

/** Returns the earliest time at which a tick changes something, or null when there is nothing to wait for. */
export function nextDeadlineMs(policy: LeasePolicy, state: LeaseState): number | null {
  checkArguments(policy, state);
  const leases = [...state.calls, ...state.children];
  const earliestMs = Math.min(...leases.map(([, lease]) => dueMs(policy, state, lease)));
  return earliestMs === Infinity ? null : earliestMs;
}

type Due = Pick<LeaseChild, "owner"> & Partial<Pick<LeaseCall, "deadlineMs">>;

/** Returns when a tick ends the call or child: a waiting one at its deadline, a running one when it counts as stuck. */
export function dueMs(policy: LeasePolicy, { closed }: Pick<LeaseState, "closed">, { owner, deadlineMs }: Due): number {
  // While its owner is open, what runs may take as long as it likes.
  return deadlineMs ?? (closed.get(owner) ?? Infinity) + policy.stuckLimitMs;
}
