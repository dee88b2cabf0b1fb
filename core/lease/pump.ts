/** The only place where a waiter is granted. Everything that can free somebody ends here, in the same transition. */
import { assert } from "../assert.ts";
import { footprintsOverlap, sameFootprint } from "./footprint.ts";
import type { Footprint, LeaseEffect, LeasePolicy, LeaseState, LeaseStep } from "./state.ts";

/** Walks the queue in order of arrival and grants whoever nothing stands in the way of; `effects` go before the grants. */
export function pump(policy: LeasePolicy, state: LeaseState, effects: readonly LeaseEffect[]): LeaseStep {
  const held = [...state.calls.values()].filter((call) => call.stage === "granted").map((call) => call.footprint);
  const calls = new Map(state.calls);
  const passed: Footprint[] = [];
  const queue: string[] = [];
  const granted: LeaseEffect[] = [];
  let fence = state.nextFence;

  for (const id of state.queue) {
    const call = calls.get(id);
    assert(call?.stage === "waiting", `Call ${id} is in the queue and does not wait`);
    if (isBlocked(policy, call.footprint, held, passed)) {
      passed.push(call.footprint);
      queue.push(id);
      continue;
    }
    calls.set(id, { ...call, stage: "granted", deadlineMs: null, fence });
    held.push(call.footprint);
    granted.push({ type: "granted", call: id, fence });
    // Claims do not hold a workspace call back, so the host is told what it runs beside.
    if (call.footprint.kind === "workspace" && state.children.size > 0) {
      granted.push({ type: "overlaps-child", call: id, children: [...state.children.keys()] });
    }
    fence += 1;
  }
  return { state: { ...state, calls, queue, nextFence: fence }, effects: [...effects, ...granted] };
}

/** Under `arrival` nobody overtakes a waiter it overlaps; under `per-path` only a waiter of the same path is in the way. */
function isBlocked(
  policy: LeasePolicy,
  footprint: Footprint,
  held: readonly Footprint[],
  passed: readonly Footprint[],
): boolean {
  const standsBefore = policy.queue === "arrival" ? footprintsOverlap : sameFootprint;
  return (
    held.some((other) => footprintsOverlap(policy, footprint, other)) ||
    passed.some((other) => standsBefore(policy, footprint, other))
  );
}
