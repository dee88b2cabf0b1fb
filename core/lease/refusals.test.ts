import { expect, test } from "vitest";
import { defaultPolicy, type Footprint, initialState, type LeaseInput, type LeaseState } from "./state.ts";
import { transition } from "./transition.ts";

const file: Footprint = { kind: "file", path: "src/a.ts" };
const request: LeaseInput = {
  type: "request",
  call: "new",
  owner: "run",
  footprint: file,
  atMs: 0,
  needsApproval: false,
  aborted: false,
};
const spawn: LeaseInput = { type: "spawn", child: "new", owner: "run", paths: ["x"], atMs: 0 };

const setUp: readonly LeaseInput[] = [
  { ...request, call: "running", footprint: { kind: "file", path: "busy/one" } },
  { ...request, call: "waiting", footprint: { kind: "file", path: "busy" } },
  { ...request, call: "asking", footprint: { kind: "file", path: "asked" }, needsApproval: true },
  { ...spawn, child: "k1", paths: ["lib/x", "src"] },
  { ...spawn, child: "k2", paths: ["docs", "lib/y"] },
  { type: "close", owner: "gone", atMs: 0 },
];
const crowded: LeaseState = setUp.reduce(
  (state, input) => transition(defaultPolicy, state, input).state,
  initialState(),
);

test("the crowded state has a call of each stage and two children", () => {
  expect([...crowded.calls.values()].map(({ stage }) => stage)).toEqual(["granted", "waiting", "approving"]);
  expect([...crowded.children.keys()]).toEqual(["k1", "k2"]);
});

const refusals: readonly (readonly [input: LeaseInput, refusal: object])[] = [
  [{ ...request, call: "running", aborted: true, owner: "gone" }, { reason: "duplicate-call" }],
  [{ ...request, call: "asking" }, { reason: "duplicate-call" }],
  [{ ...request, call: "k1" }, { reason: "duplicate-call" }],
  [{ ...request, owner: "gone", footprint: { kind: "file", path: "../x" } }, { reason: "owner-closed" }],
  [{ ...request, owner: "gone", footprint: { kind: "none" } }, { reason: "owner-closed" }],
  [{ ...request, footprint: { kind: "file", path: "/etc" } }, { reason: "outside-workspace" }],
  [{ ...request, footprint: { kind: "file", path: "" } }, { reason: "outside-workspace" }],
  [request, { reason: "child-writing", path: "src/a.ts", holder: "k1" }],
  [
    { ...request, footprint: { kind: "file", path: ".\\lib" } },
    { reason: "child-writing", path: "lib", holder: "k1" },
  ],
  [
    { ...request, footprint: { kind: "file", path: "docs/a" }, needsApproval: true },
    { reason: "child-writing", path: "docs/a", holder: "k2" },
  ],
  [{ ...spawn, child: "k2", owner: "gone" }, { reason: "duplicate-child" }],
  [{ ...spawn, child: "waiting" }, { reason: "duplicate-child" }],
  [{ ...spawn, owner: "gone", paths: [] }, { reason: "owner-closed" }],
  [{ ...spawn, paths: [] }, { reason: "no-paths" }],
  [{ ...spawn, paths: ["src", "../x"] }, { reason: "outside-workspace" }],
  [
    { ...spawn, paths: ["x", "docs/b", "src/b", "busy"] },
    { reason: "child-conflict", path: "src/b", holder: "k1" },
  ],
  [
    { ...spawn, paths: ["x", "docs/b", "busy"] },
    { reason: "child-conflict", path: "docs/b", holder: "k2" },
  ],
  [
    { ...spawn, paths: ["asked", "busy/two", "busy/one/x"] },
    { reason: "root-writing", path: "busy/one/x", holder: "running" },
  ],
  [
    { ...spawn, paths: ["asked", "busy/two"] },
    { reason: "root-writing", path: "busy/two", holder: "waiting" },
  ],
  [
    { ...spawn, paths: ["./asked/"] },
    { reason: "root-writing", path: "asked", holder: "asking" },
  ],
];

test.each(refusals)("transition() refuses %j and changes nothing", (input, refusal) => {
  const before = structuredClone(crowded);
  const step = transition(defaultPolicy, crowded, input);
  expect(step.effects).toEqual([{ type: "refused", input, ...refusal }]);
  expect(step.state).toEqual(before);
  expect(crowded).toEqual(before);
});

const staleInputs: readonly LeaseInput[] = [
  { type: "approve", call: "unknown", atMs: 0 },
  { type: "approve", call: "running", atMs: 0 },
  { type: "approve", call: "waiting", atMs: 0 },
  { type: "approve", call: "k1", atMs: 0 },
  { type: "deny", call: "unknown" },
  { type: "deny", call: "running" },
  { type: "deny", call: "waiting" },
  { type: "release", call: "unknown", fence: 1 },
  { type: "release", call: "running", fence: 2 },
  { type: "release", call: "waiting", fence: 1 },
  { type: "release", call: "asking", fence: 1 },
  { type: "release", call: "k1", fence: 2 },
  { type: "abort", call: "unknown", atMs: 0 },
  { type: "abort", call: "k1", atMs: 0 },
  { type: "finish", child: "unknown", fence: 2 },
  { type: "finish", child: "k1", fence: 3 },
  { type: "finish", child: "running", fence: 1 },
];

test.each(staleInputs)("transition() finds %j stale and changes nothing", (input) => {
  const step = transition(defaultPolicy, crowded, input);
  expect(step.effects).toEqual([{ type: "stale", input }]);
  expect(step.state).toBe(crowded);
});
