/** The shapes that the reducer's arguments must have, spelled out for callers without types. */
import { expectShape, flag, id, map, number, oneOf, type Rule, read, type Shape, text, texts } from "./shape.ts";
import type { LeaseInput, LeasePolicy, LeaseState } from "./state.ts";

const footprint: Rule = [
  'kind "none", "file" with a path, or "workspace"',
  (value) => {
    const kind = read(value, "kind");
    return kind === "none" || kind === "workspace" || (kind === "file" && text[1](read(value, "path")));
  },
];

const inputShapes: Readonly<Record<LeaseInput["type"], Shape>> = {
  request: { call: id, owner: id, footprint, atMs: number, needsApproval: flag, aborted: flag },
  approve: { call: id, atMs: number },
  deny: { call: id },
  release: { call: id, fence: number },
  abort: { call: id, atMs: number },
  tick: { atMs: number },
  spawn: { child: id, owner: id, paths: texts, atMs: number },
  finish: { child: id, fence: number },
  close: { owner: id, atMs: number },
};
const anyInput: Shape = { type: oneOf(...Object.keys(inputShapes)) };

const policyShape: Shape = {
  waitLimitMs: number,
  stuckLimitMs: number,
  caseSensitive: flag,
  conflict: oneOf("queue", "refuse"),
  queue: oneOf("arrival", "per-path"),
};
const stateShape: Shape = { children: map, calls: map, nextFence: number, closed: map };

export function checkInput(input: LeaseInput): void {
  expectShape("input", input, anyInput);
  expectShape(input.type, input, inputShapes[input.type]);
}

export function checkArguments(policy: LeasePolicy, state: LeaseState): void {
  expectShape("policy", policy, policyShape);
  expectShape("state", state, stateShape);
}
