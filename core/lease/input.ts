/**
 * The shapes that the scheduler's arguments must have. What has the right shape and is merely not allowed (an empty
 * path, an unknown id) is a refusal or stale, never an error.
 */
import { type Fields, flag, list, oneOf, record, rule, text, variants } from "../shape.ts";
import type { Footprint, LeaseInput, LeasePolicy, LeaseState } from "./state.ts";

export const id = rule("non-empty string", (value) => typeof value === "string" && value !== "");
export const number = rule("number", Number.isFinite);
const map = rule("Map", (value) => value instanceof Map);

const footprints: Readonly<Record<Footprint["kind"], Fields>> = { none: {}, file: { path: text }, workspace: {} };
const footprint = variants("kind", footprints);

const inputs: Readonly<Record<LeaseInput["type"], Fields>> = {
  request: { call: id, owner: id, footprint, atMs: number, needsApproval: flag, aborted: flag },
  approve: { call: id, atMs: number },
  deny: { call: id },
  release: { call: id, fence: number },
  abort: { call: id, atMs: number },
  tick: { atMs: number },
  spawn: { child: id, owner: id, paths: list(text), atMs: number },
  finish: { child: id, fence: number },
  close: { owner: id, atMs: number },
};
export const inputShape = variants("type", inputs);

const policyShape = record({
  waitLimitMs: number,
  stuckLimitMs: number,
  caseSensitive: flag,
  conflict: oneOf("queue", "refuse"),
  queue: oneOf("arrival", "per-path"),
});
const stateShape = record({ children: map, calls: map, nextFence: number, closed: map });

export function checkArguments(policy: LeasePolicy, state: LeaseState): void {
  policyShape("policy", policy);
  stateShape("state", state);
}
