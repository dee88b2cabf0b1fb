import { expect, test } from "vitest";
import type { LeaseInput } from "../lease/state.ts";
import { type EndedEffect, refusalText } from "./refusal-text.ts";

const request: LeaseInput = {
  type: "request",
  call: "c2",
  owner: "r1",
  footprint: { kind: "file", path: "../x" },
  atMs: 0,
  needsApproval: false,
  aborted: false,
};
const spawn: LeaseInput = { type: "spawn", child: "k2", owner: "r1", paths: ["../x", "y"], atMs: 0 };
const approve: LeaseInput = { type: "approve", call: "c2", atMs: 0 };
const about = { path: "src/a.ts", holder: "h1" };

/** Each effect with what both languages have to name. */
const effects: readonly { readonly effect: EndedEffect; readonly named: readonly string[] }[] = [
  { effect: { type: "refused", input: request, reason: "duplicate-call" }, named: ["c2"] },
  { effect: { type: "refused", input: request, reason: "owner-closed" }, named: ["c2", "r1"] },
  { effect: { type: "refused", input: spawn, reason: "owner-closed" }, named: ["k2", "r1"] },
  { effect: { type: "refused", input: request, reason: "outside-workspace" }, named: ["c2", "../x"] },
  { effect: { type: "refused", input: spawn, reason: "outside-workspace" }, named: ["k2", "../x"] },
  {
    effect: { type: "refused", input: request, reason: "child-writing", ...about },
    named: ["c2", "src/a.ts", "h1", "wait_agent"],
  },
  { effect: { type: "refused", input: { type: "deny", call: "c2" }, reason: "denied" }, named: ["c2"] },
  { effect: { type: "refused", input: request, reason: "root-busy", ...about }, named: ["c2", "src/a.ts", "h1"] },
  { effect: { type: "refused", input: approve, reason: "root-busy", ...about, path: "." }, named: ["c2", "h1"] },
  { effect: { type: "refused", input: spawn, reason: "duplicate-child" }, named: ["k2"] },
  { effect: { type: "refused", input: spawn, reason: "no-paths" }, named: ["k2"] },
  {
    effect: { type: "refused", input: spawn, reason: "child-conflict", ...about },
    named: ["k2", "src/a.ts", "h1", "wait_agent"],
  },
  { effect: { type: "refused", input: spawn, reason: "root-writing", ...about }, named: ["k2", "src/a.ts", "h1"] },
  { effect: { type: "expired", call: "c2", path: "src/a.ts", retryable: true }, named: ["c2", "src/a.ts"] },
  { effect: { type: "expired", call: "c2", path: ".", retryable: true }, named: ["c2"] },
  { effect: { type: "fenced", call: "c2" }, named: ["c2"] },
  { effect: { type: "fenced", child: "k2" }, named: ["k2"] },
  { effect: { type: "cancelled", call: "c2" }, named: ["c2"] },
];

test.each(effects)("refusalText() of $effect names what a model needs, in both languages", ({ effect, named }) => {
  const [en, zh] = [refusalText(effect, "en"), refusalText(effect, "zh")];
  for (const name of named) {
    expect(en).toContain(name);
    expect(zh).toContain(name);
  }
  expect(en).not.toMatch(/undefined|another task|\?"/);
  expect(zh).not.toMatch(/undefined|其他任务|另一个任务/);
  expect(en).toMatch(/\.$/);
  expect(zh).toMatch(/[\u4e00-\u9fff].*。$/);
});

test("refusalText() names the whole workspace in words", () => {
  const expired: EndedEffect = { type: "expired", call: "c2", path: ".", retryable: true };
  expect(refusalText(expired, "en")).toContain("the workspace");
  expect(refusalText(expired, "zh")).toContain("整个工作区");
});

test("refusalText() blames no path that is right, and nobody for what may be somebody else's", () => {
  const outside: EndedEffect = { type: "refused", input: spawn, reason: "outside-workspace" };
  expect(refusalText(outside, "en")).not.toContain('"y"');
  expect(refusalText(outside, "zh")).not.toContain("“y”");
  for (const { effect } of effects) {
    expect(refusalText(effect, "en")).not.toMatch(/your own|waited too long/);
    expect(refusalText(effect, "zh")).not.toMatch(/你自己的|改写/);
  }
});

test("refusalText() says whether it was a call or a subagent", () => {
  for (const { effect } of effects) {
    const child = effect.type === "refused" ? "child" in effect.input : "child" in effect;
    expect(refusalText(effect, "en")).toMatch(child ? /^Subagent "/ : /^Call "/);
    expect(refusalText(effect, "zh")).toMatch(child ? /^子代理“/ : /^调用“/);
  }
});
