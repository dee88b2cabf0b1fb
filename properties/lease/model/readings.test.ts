import { expect, test } from "vitest";
import type { LeaseState, LeaseStep } from "../../../core/lease/state.ts";
import { readTransition } from "../../../core/lease/testing/second-reading.ts";
import { Explorer } from "../../../sim/model/explorer.ts";
import { smallBounds } from "./bounds.ts";
import { core, leaseModel } from "./lease-model.ts";
import type { LeaseReducer } from "./world.ts";

/** Both readings of the contract at once; where they differ, the model says so with a shortest run. */
const both: LeaseReducer = {
  ...core,
  transition(policy, state, input) {
    const shipped = core.transition(policy, state, input);
    const [one, other] = [shown(shipped), shown(readTransition(policy, state, input))];
    if (one !== other) throw new Error(`the core says ${one}, the second reading says ${other}`);
    return shipped;
  },
};

function shown({ state, effects }: LeaseStep): string {
  return JSON.stringify([table(state), effects]);
}

function table({ calls, children, queue, nextFence, closed }: LeaseState) {
  const entries = [...calls].map(([id, { owner, footprint, stage, deadlineMs, fence }]) => [
    id,
    owner,
    footprint,
    stage,
    deadlineMs,
    fence,
  ]);
  return [entries, [...children], queue, nextFence, [...closed]];
}

test.each([
  { conflict: "queue", queue: "per-path", caseSensitive: true },
  { conflict: "refuse", queue: "arrival", caseSensitive: false },
] as const)("the two readings of the contract agree on every edge: %o", async (policy) => {
  const bounds = { ...smallBounds, calls: 2, together: 2, misfits: 2 };
  const { outcome, violation } = await new Explorer(leaseModel({ policy, bounds, reducer: both, only: [] })).run();
  expect([outcome, violation]).toEqual(["proved", null]);
});
