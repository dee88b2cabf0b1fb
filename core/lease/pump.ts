/** The only place where a waiter is granted. Everything that can free somebody ends here, in the same transition. */
import { assert } from "../assert.ts";
import { pathsOf } from "./footprint.ts";
import { pathsOverlap, samePath } from "./path.ts";
import type { LeaseEffect, LeasePolicy, LeaseState, LeaseStep } from "./state.ts";

/** Walks the queue in order of arrival and grants whoever nothing stands in the way of; `effects` go before the grants. */
export function pump(policy: LeasePolicy, state: LeaseState, effects: readonly LeaseEffect[]): LeaseStep {
  const held = [...state.calls.values()].flatMap(({ stage, footprint }) =>
    stage === "granted" ? pathsOf(footprint) : [],
  );
  const calls = new Map(state.calls);
  const passed: string[] = [];
  const queue: string[] = [];
  const all = [...effects];
  // Under `arrival` nobody overtakes a waiter it overlaps; under `per-path` only a waiter of the same path is in the way.
  const standsBefore = policy.queue === "arrival" ? pathsOverlap : samePath;
  let fence = state.nextFence;

  for (const id of state.queue) {
    const call = calls.get(id);
    assert(call?.stage === "waiting", `Call ${id} is in the queue and does not wait`);
    const paths = pathsOf(call.footprint);
    const isBlocked = paths.some(
      (path) =>
        held.some((other) => pathsOverlap(policy, path, other)) ||
        passed.some((other) => standsBefore(policy, path, other)),
    );
    if (isBlocked) {
      passed.push(...paths);
      queue.push(id);
      continue;
    }
    calls.set(id, { ...call, stage: "granted", deadlineMs: null, fence });
    held.push(...paths);
    all.push({ type: "granted", call: id, fence });
    // Claims do not hold a workspace call back, so the host is told what it runs beside.
    if (call.footprint.kind === "workspace" && state.children.size > 0) {
      all.push({ type: "overlaps-child", call: id, children: [...state.children.keys()] });
    }
    fence += 1;
  }
  return { state: { ...state, calls, queue, nextFence: fence }, effects: all };
}
