/**
 * Everything that changes lease state is in this file and in `pump.ts`, which grants.
 *
 * Root calls against each other queue. Root files against children refuse, in both directions: a parent that waits for its
 * own child's file may wait for ever. That is why a file call counts from its request on (as an intent), and not only
 * when it writes: a child that claimed the path of a call still waiting for approval would never let it in.
 * Workspace calls and children do not exclude each other; the effect `overlaps-child` says so.
 *
 * Only live ids are known here. The host guarantees the rest of "a call id is never used twice".
 */
import { assertNever } from "../assert.ts";
import { stuckAtMs } from "./deadline.ts";
import { footprintsOverlap, normaliseFootprint, pathOf } from "./footprint.ts";
import { checkArguments, checkInput } from "./input.ts";
import { normalisePath, pathsOverlap } from "./path.ts";
import { pump } from "./pump.ts";
import type {
  ApproveInput,
  LeaseCall,
  LeaseChild,
  LeaseEffect,
  LeaseInput,
  LeasePolicy,
  LeaseRefusal,
  LeaseState,
  LeaseStep,
  RequestInput,
  SpawnInput,
} from "./state.ts";
import { dropCalls, idsWhere, putCall, without } from "./table.ts";

type About = { readonly path: string; readonly holder: string };

/** Moves the lease table by one input. The host performs the returned effects, in order. */
export function transition(policy: LeasePolicy, state: LeaseState, input: LeaseInput): LeaseStep {
  checkArguments(policy, state);
  checkInput(input);
  switch (input.type) {
    case "request":
      return request(policy, state, input);
    case "approve": {
      const call = state.calls.get(input.call);
      return call?.stage === "approving" ? enqueue(policy, state, input, call) : stale(state, input);
    }
    case "deny":
      if (state.calls.get(input.call)?.stage !== "approving") return stale(state, input);
      return end(policy, state, [input.call], refuse(state, input, "denied").effects);
    case "release":
      // Only a grant has a fence, so a call of another stage cannot match.
      if (state.calls.get(input.call)?.fence !== input.fence) return stale(state, input);
      return end(policy, state, [input.call], []);
    case "abort": {
      const call = state.calls.get(input.call);
      if (call === undefined) return stale(state, input);
      // A running tool sees its own signal and releases when it has stopped writing.
      if (call.stage === "granted") return { state, effects: [] };
      return end(policy, state, [input.call], [cancelled(input.call)]);
    }
    case "tick":
      return tick(policy, state, input.atMs);
    case "spawn":
      return spawn(policy, state, input);
    case "finish":
      if (state.children.get(input.child)?.fence !== input.fence) return stale(state, input);
      return pump(policy, { ...state, children: without(state.children, [input.child]) }, []);
    case "close":
      return close(policy, state, input.owner, input.atMs);
    default:
      return assertNever(input);
  }
}

function request(policy: LeasePolicy, state: LeaseState, input: RequestInput): LeaseStep {
  if (isKnown(state, input.call)) return refuse(state, input, "duplicate-call");
  if (input.aborted) return { state, effects: [cancelled(input.call)] };
  if (state.closed.has(input.owner)) return refuse(state, input, "owner-closed");
  const footprint = normaliseFootprint(input.footprint);
  if (footprint === null) return refuse(state, input, "outside-workspace");
  if (footprint.kind === "file") {
    const { path } = footprint;
    for (const [holder, { paths }] of state.children) {
      if (overlapsAny(policy, paths, path)) return refuse(state, input, "child-writing", { path, holder });
    }
  }
  const deadlineMs = input.atMs + policy.waitLimitMs;
  const call: LeaseCall = { owner: input.owner, footprint, stage: "approving", deadlineMs, fence: null };
  if (!input.needsApproval) return enqueue(policy, state, input, call);
  return { state: putCall(state, input.call, call), effects: [{ type: "ask-approval", call: input.call }] };
}

/** Queue first, then pump: one rule decides who may run, so nobody overtakes a waiter on a fast path. */
function enqueue(
  policy: LeasePolicy,
  state: LeaseState,
  input: RequestInput | ApproveInput,
  call: LeaseCall,
): LeaseStep {
  if (policy.conflict === "refuse") {
    const inTheWay = (other: LeaseCall) =>
      other.stage === "granted" && footprintsOverlap(policy, call.footprint, other.footprint);
    const [holder] = idsWhere(state.calls, inTheWay);
    if (holder !== undefined) {
      return refuse(dropCalls(state, [input.call]), input, "root-busy", { path: pathOf(call.footprint), holder });
    }
  }
  const waiter: LeaseCall = { ...call, stage: "waiting", deadlineMs: input.atMs + policy.waitLimitMs };
  const queued = { ...putCall(state, input.call, waiter), queue: [...state.queue, input.call] };
  return pump(policy, queued, []);
}

/** All or nothing: every check stands before the claim, and a refusal returns the state it was given. */
function spawn(policy: LeasePolicy, state: LeaseState, input: SpawnInput): LeaseStep {
  const { child, owner } = input;
  if (isKnown(state, child)) return refuse(state, input, "duplicate-child");
  if (state.closed.has(owner)) return refuse(state, input, "owner-closed");
  if (input.paths.length === 0) return refuse(state, input, "no-paths");
  const paths = input.paths.map(normalisePath).filter((path) => path !== null);
  if (paths.length < input.paths.length) return refuse(state, input, "outside-workspace");

  // The first holder in the way is named, and the first of the paths that it is in the way of.
  for (const [holder, claim] of state.children) {
    const path = paths.find((path) => overlapsAny(policy, claim.paths, path));
    if (path !== undefined) return refuse(state, input, "child-conflict", { path, holder });
  }
  const fence = state.nextFence;
  const effects: LeaseEffect[] = [{ type: "spawned", child, fence }];
  for (const [call, { footprint, stage }] of state.calls) {
    if (footprint.kind === "file") {
      // An intent, whatever the stage.
      const path = paths.find((path) => pathsOverlap(policy, footprint.path, path));
      if (path !== undefined) return refuse(state, input, "root-writing", { path, holder: call });
    } else if (footprint.kind === "workspace" && stage === "granted") {
      effects.push({ type: "overlaps-child", call, children: [child] });
    }
  }
  const children = new Map(state.children).set(child, { owner, paths, fence });
  return { state: { ...state, children, nextFence: fence + 1 }, effects };
}

/** Fencing comes first: a waiter that the stuck work held back gets its lease even if its own deadline has come. */
function tick(policy: LeasePolicy, state: LeaseState, atMs: number): LeaseStep {
  const isStuck = ({ owner }: LeaseCall | LeaseChild) => stuckAtMs(policy, state, owner) <= atMs;
  const calls = idsWhere(state.calls, isStuck);
  const children = idsWhere(state.children, isStuck);
  const fenced = end(policy, { ...state, children: without(state.children, children) }, calls, [
    ...calls.map((call): LeaseEffect => ({ type: "fenced", call })),
    ...children.map((child): LeaseEffect => ({ type: "fenced", child })),
  ]);

  const late = [...fenced.state.calls].filter(([, { deadlineMs }]) => deadlineMs !== null && deadlineMs <= atMs);
  const lateIds = late.map(([call]) => call);
  const expired = late.map(
    ([call, { footprint }]): LeaseEffect => ({ type: "expired", call, path: pathOf(footprint), retryable: true }),
  );
  // All leave before anybody is granted: a late waiter must not run in the place of another late one.
  return end(policy, fenced.state, lateIds, [...fenced.effects, ...expired]);
}

/** Closes for good. What runs keeps its lease, because it may still write; the stuck limit bounds that. */
function close(policy: LeasePolicy, state: LeaseState, owner: string, atMs: number): LeaseStep {
  if (state.closed.has(owner)) return { state, effects: [] };
  const dropped = idsWhere(state.calls, (call) => call.owner === owner && call.stage !== "granted");
  const closed = new Map(state.closed).set(owner, atMs);
  return end(policy, { ...state, closed }, dropped, dropped.map(cancelled));
}

/** Calls leave, and whoever they held back comes in: nothing that can free somebody does one without the other. */
function end(
  policy: LeasePolicy,
  state: LeaseState,
  calls: readonly string[],
  effects: readonly LeaseEffect[],
): LeaseStep {
  return pump(policy, dropCalls(state, calls), effects);
}

function cancelled(call: string): LeaseEffect {
  return { type: "cancelled", call };
}

function refuse(state: LeaseState, input: LeaseInput, reason: LeaseRefusal, about?: About): LeaseStep {
  return { state, effects: [{ type: "refused", input, reason, ...about }] };
}

function stale(state: LeaseState, input: LeaseInput): LeaseStep {
  return { state, effects: [{ type: "stale", input }] };
}

function overlapsAny(policy: LeasePolicy, paths: readonly string[], path: string): boolean {
  return paths.some((other) => pathsOverlap(policy, other, path));
}

/** Calls and children share no id. */
function isKnown(state: LeaseState, id: string): boolean {
  return state.calls.has(id) || state.children.has(id);
}
