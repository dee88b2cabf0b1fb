/**
 * The shapes that the scheduler's arguments must have. What has the right shape and is merely not allowed (an empty
 * path, an unknown id) is a refusal or stale, never an error.
 */
import { check, type Fields, oneOf, type Rule, variants } from "../shape.ts";
import type { Footprint, LeaseInput, LeasePolicy, LeaseState } from "./state.ts";

export const id: Rule = (value) => (typeof value === "string" && value !== "") || "non-empty string";
export const number: Rule = (value) => Number.isFinite(value) || "number";
const map: Rule = (value) => value instanceof Map || "Map";

const footprint = variants<Footprint["kind"]>("kind", { none: {}, file: { path: "" }, workspace: {} });

export const inputShape = variants<LeaseInput["type"]>("type", {
  request: { call: id, owner: id, footprint, atMs: number, needsApproval: false, aborted: false },
  approve: { call: id, atMs: number },
  deny: { call: id },
  release: { call: id, fence: number },
  abort: { call: id, atMs: number },
  tick: { atMs: number },
  spawn: { child: id, owner: id, paths: [""], atMs: number },
  finish: { child: id, fence: number },
  close: { owner: id, atMs: number },
});

const policyShape: Fields = {
  waitLimitMs: number,
  stuckLimitMs: number,
  caseSensitive: false,
  conflict: oneOf("queue", "refuse"),
  queue: oneOf("arrival", "per-path"),
};

export function checkArguments(policy: LeasePolicy, state: LeaseState): void {
  check("policy", policy, policyShape);
  check("state", state, { children: map, calls: map, nextFence: number, closed: map });
}
