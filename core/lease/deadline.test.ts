import { expect, test } from "vitest";
import { nextDeadlineMs } from "./deadline.ts";
import { defaultPolicy, initialState, type LeaseInput, type LeasePolicy } from "./state.ts";
import { transition } from "./transition.ts";

const policy: LeasePolicy = { ...defaultPolicy, waitLimitMs: 100, stuckLimitMs: 50 };
const request: LeaseInput = {
  type: "request",
  call: "c1",
  owner: "run",
  footprint: { kind: "workspace" },
  atMs: 0,
  needsApproval: false,
  aborted: false,
};

function deadlineAfter(...inputs: readonly LeaseInput[]): number | null {
  return nextDeadlineMs(
    policy,
    inputs.reduce((state, input) => transition(policy, state, input).state, initialState()),
  );
}

test("nextDeadlineMs() is null when nothing can expire", () => {
  expect(deadlineAfter()).toBeNull();
  expect(deadlineAfter(request)).toBeNull();
  expect(deadlineAfter({ type: "close", owner: "run", atMs: 3 })).toBeNull();
});

test("nextDeadlineMs() is the earliest of the waiting and the approving", () => {
  const asking: LeaseInput = { ...request, call: "c2", atMs: 7, needsApproval: true };
  const waiting: LeaseInput = { ...request, call: "c3", atMs: 5 };
  expect(deadlineAfter(request, asking)).toBe(107);
  expect(deadlineAfter(request, asking, waiting)).toBe(105);
});

test("nextDeadlineMs() counts the stuck limit from the close for calls and children", () => {
  const close: LeaseInput = { type: "close", owner: "run", atMs: 20 };
  expect(deadlineAfter(request, close)).toBe(70);
  expect(deadlineAfter({ type: "spawn", child: "k", owner: "run", paths: ["a"], atMs: 0 }, close)).toBe(70);
});
