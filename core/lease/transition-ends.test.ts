import { expect, test } from "vitest";
import { initialState, type LeaseInput } from "./state.ts";
import { after, file, granted, none, policy, request, spawn, table, waiting, workspace } from "./testing/table.ts";
import { transition } from "./transition.ts";

test("deny drops the call", () => {
  const input: LeaseInput = { type: "deny", call: "c1" };
  expect(transition(policy, after([request("c1", file("a"), { needsApproval: true })]), input)).toEqual({
    state: initialState(),
    effects: [{ type: "refused", input, reason: "denied" }],
  });
});

test("release grants the next in order of arrival", () => {
  const state = after([request("c1", file("a")), request("c2", file("a")), request("c3", file("a"))]);
  expect(transition(policy, state, { type: "release", call: "c1", fence: 1 })).toEqual({
    state: table({
      calls: new Map([
        ["c2", granted(file("a"), 2)],
        ["c3", waiting(file("a"))],
      ]),
      queue: ["c3"],
      nextFence: 3,
    }),
    effects: [{ type: "granted", call: "c2", fence: 2 }],
  });
});

test.each(["approving", "waiting"])("abort of a call that is %s drops it and lets the next in", (stage) => {
  const state = after([
    request("c0", file("a")),
    request("c1", workspace, { needsApproval: stage === "approving" }),
    request("c2", file("b")),
  ]);
  const step = transition(policy, state, { type: "abort", call: "c1", atMs: 1 });
  const freed = stage === "waiting";
  expect(step.effects).toEqual([
    { type: "cancelled", call: "c1" },
    ...(freed ? [{ type: "granted", call: "c2", fence: 2 }] : []),
  ]);
  expect([...step.state.calls.keys()]).toEqual(["c0", "c2"]);
  expect(step.state.queue).toEqual([]);
});

test("abort of a granted call does nothing", () => {
  const state = after([request("c1", file("a"))]);
  expect(transition(policy, state, { type: "abort", call: "c1", atMs: 1 })).toEqual({ state, effects: [] });
});

test("tick before any deadline does nothing", () => {
  const state = after([request("c1", workspace), request("c2", workspace)]);
  expect(transition(policy, state, { type: "tick", atMs: 99 })).toEqual({ state, effects: [] });
});

test("tick drops all late calls before it grants, in order of request", () => {
  const state = after([
    request("c1", file("a")),
    request("c2", file("a"), { needsApproval: true }),
    request("c3", workspace),
    request("c4", file("b")),
    request("c5", file("b/x"), { atMs: 1 }),
    request("c6", none, { needsApproval: true }),
  ]);
  const step = transition(policy, state, { type: "tick", atMs: 100 });
  expect(step.effects).toEqual([
    { type: "expired", call: "c2", path: "a", retryable: true },
    { type: "expired", call: "c3", path: ".", retryable: true },
    { type: "expired", call: "c4", path: "b", retryable: true },
    { type: "expired", call: "c6", path: ".", retryable: true },
    { type: "granted", call: "c5", fence: 2 },
  ]);
  expect(step.state.queue).toEqual([]);
});

test("tick fences the stuck before it expires, so whom they held back runs", () => {
  const state = after([
    request("c1", file("a"), { owner: "old" }),
    spawn("k1", ["z"], "old"),
    request("c2", file("a")),
    request("c3", file("a")),
    { type: "close", owner: "old", atMs: 50 },
  ]);
  expect(transition(policy, state, { type: "tick", atMs: 99 })).toEqual({ state, effects: [] });
  expect(transition(policy, state, { type: "tick", atMs: 100 })).toEqual({
    state: table({
      calls: new Map([["c2", granted(file("a"), 3)]]),
      nextFence: 4,
      closed: new Map([["old", 50]]),
    }),
    effects: [
      { type: "fenced", call: "c1" },
      { type: "fenced", child: "k1" },
      { type: "granted", call: "c2", fence: 3 },
      { type: "expired", call: "c3", path: "a", retryable: true },
    ],
  });
});

test("finish ends the claim", () => {
  const state = after([spawn("k1", ["a"]), spawn("k2", ["b"])]);
  expect(transition(policy, state, { type: "finish", child: "k1", fence: 1 })).toEqual({
    state: table({ children: new Map([["k2", { owner: "run", paths: ["b"], fence: 2 }]]), nextFence: 3 }),
    effects: [],
  });
});

test("close drops what does not run, keeps what runs, and lets others in", () => {
  const state = after([
    request("c1", file("a")),
    request("c2", file("b"), { needsApproval: true }),
    request("c3", file("a")),
    request("c4", workspace),
    request("c5", file("b"), { owner: "other" }),
    spawn("k1", ["z"]),
  ]);
  expect(transition(policy, state, { type: "close", owner: "run", atMs: 7 })).toEqual({
    state: table({
      calls: new Map([
        ["c1", granted(file("a"), 1)],
        ["c5", granted(file("b"), 3, "other")],
      ]),
      children: new Map([["k1", { owner: "run", paths: ["z"], fence: 2 }]]),
      nextFence: 4,
      closed: new Map([["run", 7]]),
    }),
    effects: [
      { type: "cancelled", call: "c2" },
      { type: "cancelled", call: "c3" },
      { type: "cancelled", call: "c4" },
      { type: "granted", call: "c5", fence: 3 },
    ],
  });
});

test("close again does nothing: the stuck clock does not restart", () => {
  const state = after([request("c1", file("a")), { type: "close", owner: "run", atMs: 7 }]);
  expect(transition(policy, state, { type: "close", owner: "run", atMs: 40 })).toEqual({ state, effects: [] });
  expect(transition(policy, state, { type: "tick", atMs: 57 }).effects).toEqual([{ type: "fenced", call: "c1" }]);
});
