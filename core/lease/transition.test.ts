import { expect, test } from "vitest";
import { initialState } from "./state.ts";
import {
  after,
  approving,
  file,
  granted,
  none,
  policy,
  request,
  spawn,
  table,
  waiting,
  workspace,
} from "./testing/table.ts";
import { transition } from "./transition.ts";

test("initialState() starts at the given fence", () => {
  expect(initialState(7)).toEqual(table({ nextFence: 7 }));
  expect(initialState().nextFence).toBe(1);
});

test("request is granted at once when nothing is in the way, its path normalised", () => {
  expect(transition(policy, initialState(), request("c1", file(".\\src//a.ts")))).toEqual({
    state: table({ calls: new Map([["c1", granted(file("src/a.ts"), 1)]]), nextFence: 2 }),
    effects: [{ type: "granted", call: "c1", fence: 1 }],
  });
});

test("request waits behind a grant it overlaps", () => {
  expect(transition(policy, after([request("c1", workspace)]), request("c2", file("a"), { atMs: 5 }))).toEqual({
    state: table({
      calls: new Map([
        ["c1", granted(workspace, 1)],
        ["c2", waiting(file("a"), 105)],
      ]),
      queue: ["c2"],
      nextFence: 2,
    }),
    effects: [],
  });
});

test("request asks for approval and has waitLimitMs to be answered", () => {
  expect(transition(policy, initialState(), request("c1", file("a"), { needsApproval: true, atMs: 3 }))).toEqual({
    state: table({ calls: new Map([["c1", approving(file("a"), 103)]]) }),
    effects: [{ type: "ask-approval", call: "c1" }],
  });
});

test("request that is already aborted is cancelled, whatever else is wrong with it", () => {
  const closed = after([{ type: "close", owner: "run", atMs: 0 }]);
  const step = transition(policy, closed, request("c1", file("../x"), { aborted: true }));
  expect(step).toEqual({ state: closed, effects: [{ type: "cancelled", call: "c1" }] });
});

test("approve enqueues with a deadline of its own and keeps the order of request", () => {
  const state = after([request("c1", file("a"), { needsApproval: true }), request("c2", file("a"))]);
  expect(transition(policy, state, { type: "approve", call: "c1", atMs: 60 })).toEqual({
    state: table({
      calls: new Map([
        ["c1", waiting(file("a"), 160)],
        ["c2", granted(file("a"), 1)],
      ]),
      queue: ["c1"],
      nextFence: 2,
    }),
    effects: [],
  });
});

test("spawn claims its paths, also when they repeat and overlap each other", () => {
  expect(transition(policy, initialState(), spawn("k1", ["src", "src/a.ts", "./src"]))).toEqual({
    state: table({
      children: new Map([["k1", { owner: "run", paths: ["src", "src/a.ts", "src"], fence: 1 }]]),
      nextFence: 2,
    }),
    effects: [{ type: "spawned", child: "k1", fence: 1 }],
  });
});

test("spawn beside a running workspace call says so; a waiting one does not count yet", () => {
  const state = after([request("c1", workspace), request("c2", workspace), request("c3", none), spawn("k1", ["a"])]);
  expect(transition(policy, state, spawn("k2", ["b"])).effects).toEqual([
    { type: "spawned", child: "k2", fence: 4 },
    { type: "overlaps-child", call: "c1", children: ["k2"] },
  ]);
});
