import { expect, test } from "vitest";
import { initialState, type LeaseInput, type LeasePolicy } from "./state.ts";
import { after, file, granted, none, policy, request, spawn, table, workspace } from "./testing/table.ts";
import { transition } from "./transition.ts";

test("request with footprint none passes everything", () => {
  const state = after([request("c1", workspace), request("c2", workspace), spawn("k", ["."])]);
  expect(transition(policy, state, request("c3", none)).effects).toEqual([{ type: "granted", call: "c3", fence: 3 }]);
  const asked = after([request("c4", none, { needsApproval: true })], policy, state);
  const step = transition(policy, asked, { type: "approve", call: "c4", atMs: 9 });
  expect(step.effects).toEqual([{ type: "granted", call: "c4", fence: 3 }]);
});

test("a workspace call granted beside children says so, after its grant", () => {
  const state = after([spawn("k1", ["a"]), spawn("k2", ["b"])]);
  expect(transition(policy, state, request("c1", workspace)).effects).toEqual([
    { type: "granted", call: "c1", fence: 3 },
    { type: "overlaps-child", call: "c1", children: ["k1", "k2"] },
  ]);
});

test("release frees several that do not overlap each other", () => {
  const state = after([request("c1", workspace), request("c2", file("a")), request("c3", file("b"))]);
  expect(transition(policy, state, { type: "release", call: "c1", fence: 1 }).effects).toEqual([
    { type: "granted", call: "c2", fence: 2 },
    { type: "granted", call: "c3", fence: 3 },
  ]);
});

test("under queue arrival a waiter passes one it does not overlap, never one it does", () => {
  const state = after([
    request("c1", file("src/a")),
    request("c2", file("src")),
    request("c3", file("docs")),
    request("c4", file("src/b")),
  ]);
  expect(state.queue).toEqual(["c2", "c4"]);
  expect(state.calls.get("c3")?.stage).toBe("granted");
});

test("under queue per-path only a waiter of the same path is in the way", () => {
  const perPath: LeasePolicy = { ...policy, queue: "per-path" };
  const state = after(
    [
      request("c1", file("src/a")),
      request("c2", file("src")),
      request("c3", file("src/b")),
      request("c4", file("src")),
      request("c5", workspace),
      request("c6", workspace),
    ],
    perPath,
  );
  expect(state.calls.get("c3")?.stage).toBe("granted");
  expect(state.queue).toEqual(["c2", "c4", "c5", "c6"]);
  const step = transition(perPath, after([{ type: "release", call: "c1", fence: 1 }], perPath, state), {
    type: "release",
    call: "c3",
    fence: 2,
  });
  expect(step.effects).toEqual([{ type: "granted", call: "c2", fence: 3 }]);
});

test("a workspace call granted without children says nothing more", () => {
  const { effects } = transition(policy, initialState(), request("c1", workspace));
  expect(effects).toEqual([{ type: "granted", call: "c1", fence: 1 }]);
});

test("under conflict refuse only a grant is in the way, not a call still waiting for approval", () => {
  const refuse: LeasePolicy = { ...policy, conflict: "refuse" };
  const state = after([request("c1", file("a"), { needsApproval: true })], refuse);
  const step = transition(refuse, state, request("c2", file("a")));
  expect(step.effects).toEqual([{ type: "granted", call: "c2", fence: 1 }]);
});

test("under conflict refuse nobody waits, also after approval", () => {
  const refuse: LeasePolicy = { ...policy, conflict: "refuse" };
  const busy = after([request("c1", file("a/b")), request("c2", file("a"), { needsApproval: true })], refuse);
  const asked = request("c3", workspace);
  const step = transition(refuse, busy, asked);
  expect(step.effects).toEqual([{ type: "refused", input: asked, reason: "root-busy", path: ".", holder: "c1" }]);
  expect(step.state).toEqual(busy);
  const approve: LeaseInput = { type: "approve", call: "c2", atMs: 1 };
  expect(transition(refuse, busy, approve)).toEqual({
    state: table({ calls: new Map([["c1", granted(file("a/b"), 1)]]), nextFence: 2 }),
    effects: [{ type: "refused", input: approve, reason: "root-busy", path: "a", holder: "c1" }],
  });
});

test("without case one file has one lease, and effects keep the spelling of the caller", () => {
  const folded: LeasePolicy = { ...policy, caseSensitive: false };
  const state = after([request("c1", file("src/A.ts")), request("c2", file("SRC/a.ts"))], folded);
  expect(state.queue).toEqual(["c2"]);
  expect(transition(folded, state, { type: "tick", atMs: 100 }).effects).toEqual([
    { type: "expired", call: "c2", path: "SRC/a.ts", retryable: true },
  ]);
});

test("ids that are names of object properties are ids like any other", () => {
  const state = after([request("__proto__", file("a")), request("constructor", file("a")), spawn("toString", ["b"])]);
  expect([...state.calls.keys()]).toEqual(["__proto__", "constructor"]);
  const released = transition(policy, state, { type: "release", call: "__proto__", fence: 1 });
  expect(released.effects).toEqual([{ type: "granted", call: "constructor", fence: 3 }]);
});
