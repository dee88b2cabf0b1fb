/** Words for writing lease tables and inputs down in tests. */
import {
  defaultPolicy,
  type Footprint,
  initialState,
  type LeaseCall,
  type LeaseInput,
  type LeasePolicy,
  type LeaseState,
  type RequestInput,
} from "../state.ts";
import { transition } from "../transition.ts";

export const policy: LeasePolicy = { ...defaultPolicy, waitLimitMs: 100, stuckLimitMs: 50 };
export const none: Footprint = { kind: "none" };
export const workspace: Footprint = { kind: "workspace" };
export const file = (path: string): Footprint => ({ kind: "file", path });

export function request(call: string, footprint: Footprint, more: Partial<RequestInput> = {}): LeaseInput {
  return { type: "request", call, owner: "run", footprint, atMs: 0, needsApproval: false, aborted: false, ...more };
}
export const spawn = (child: string, paths: readonly string[], owner = "run"): LeaseInput => ({
  type: "spawn",
  child,
  owner,
  paths,
  atMs: 0,
});
export const after = (inputs: readonly LeaseInput[], rules = policy, start = initialState()): LeaseState =>
  inputs.reduce((state, input) => transition(rules, state, input).state, start);
export const granted = (footprint: Footprint, fence: number, owner = "run"): LeaseCall => ({
  owner,
  footprint,
  stage: "granted",
  deadlineMs: null,
  fence,
});
export const waiting = (footprint: Footprint, deadlineMs = 100, owner = "run"): LeaseCall => ({
  owner,
  footprint,
  stage: "waiting",
  deadlineMs,
  fence: null,
});
export const approving = (footprint: Footprint, deadlineMs = 100): LeaseCall => ({
  ...waiting(footprint, deadlineMs),
  stage: "approving",
});
export const table = (parts: Partial<LeaseState>): LeaseState => ({ ...initialState(), ...parts });
