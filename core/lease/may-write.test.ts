import { expect, test } from "vitest";
import { mayWrite } from "./may-write.ts";
import { defaultPolicy, initialState, type LeaseInput } from "./state.ts";
import { transition } from "./transition.ts";

const request: LeaseInput = {
  type: "request",
  call: "write",
  owner: "run",
  footprint: { kind: "file", path: "src" },
  atMs: 0,
  needsApproval: false,
  aborted: false,
};
const state = [
  request,
  { ...request, call: "read", footprint: { kind: "none" } } satisfies LeaseInput,
  { ...request, call: "later", footprint: { kind: "file", path: "src/a" } } satisfies LeaseInput,
  { type: "spawn", child: "k", owner: "run", paths: ["lib", "docs/a.md"], atMs: 0 } satisfies LeaseInput,
].reduce((before, input) => transition(defaultPolicy, before, input).state, initialState());
const commands = [
  { type: "spawn", child: "k", owner: "run", paths: ["lib"], atMs: 0 } satisfies LeaseInput,
  { ...request, call: "command", footprint: { kind: "workspace" } } satisfies LeaseInput,
].reduce((before, input) => transition(defaultPolicy, before, input).state, initialState());

test.each([
  ["write", 1, "src", true],
  ["write", 1, "src/deep/b.ts", true],
  ["write", 1, ".\\src\\b.ts", true],
  ["write", 1, "src-gen", false],
  ["write", 1, ".", false],
  ["write", 1, "../src", false],
  ["write", 1, "", false],
  ["write", 2, "src", false],
  ["read", 2, "src", false],
  ["read", 2, ".", false],
  ["later", 3, "src/a", false],
  ["k", 3, "lib/x", true],
  ["k", 3, "docs/a.md", true],
  ["k", 3, "docs", false],
  ["k", 1, "lib", false],
  ["nobody", 1, "src", false],
])("mayWrite() tells %s with fence %i about %j: %j", (holder, fence, path, expected) => {
  expect(mayWrite(defaultPolicy, state, { holder, fence, path })).toBe(expected);
});

test("mayWrite() lets a workspace call write anywhere inside, a child's files too", () => {
  const write = (path: string) => mayWrite(defaultPolicy, commands, { holder: "command", fence: 2, path });
  expect(["lib/x", ".", "a"].map(write)).toEqual([true, true, true]);
  expect(["/etc", "../a"].map(write)).toEqual([false, false]);
});

test("mayWrite() tells no to who finished or was fenced off, and to a fence before a restart", () => {
  const finished = transition(defaultPolicy, state, { type: "finish", child: "k", fence: 3 }).state;
  expect(mayWrite(defaultPolicy, finished, { holder: "k", fence: 3, path: "lib" })).toBe(false);
  const closed = transition(defaultPolicy, state, { type: "close", owner: "run", atMs: 0 }).state;
  expect(mayWrite(defaultPolicy, closed, { holder: "write", fence: 1, path: "src" })).toBe(true);
  const fenced = transition(defaultPolicy, closed, { type: "tick", atMs: defaultPolicy.stuckLimitMs }).state;
  expect(mayWrite(defaultPolicy, fenced, { holder: "write", fence: 1, path: "src" })).toBe(false);
  const restarted = transition(defaultPolicy, initialState(100), request).state;
  expect(mayWrite(defaultPolicy, restarted, { holder: "write", fence: 1, path: "src" })).toBe(false);
});
