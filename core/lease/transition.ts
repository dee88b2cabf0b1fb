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
import { firstInTheWay, type InTheWay, intents, normaliseFootprint, pathsOf } from "./footprint.ts";
import { checkArguments, inputShape } from "./input.ts";
import { normalisePath, rootPath } from "./path.ts";
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
import { drop, idsWhere, putCall } from "./table.ts";

/** Moves the lease table by one input. The host performs the returned effects, in order. */
export function transition(policy: LeasePolicy, state: LeaseState, input: LeaseInput): LeaseStep {
  checkArguments(policy, state);
  inputShape("input", input);
  const call = "call" in input ? state.calls.get(input.call) : undefined;
  switch (input.type) {
    case "request":
      return request(policy, state, input);
    case "approve":
      if (call?.stage !== "approving") break;
      return enqueue(policy, state, input, call);
    case "deny":
      if (call?.stage !== "approving") break;
      return end(policy, state, [input.call], [refused(input, "denied")]);
    case "release":
      // Only a grant has a fence, so a call of another stage cannot match.
      if (call?.fence !== input.fence) break;
      return end(policy, state, [input.call], []);
    case "abort":
      if (!call) break;
      // A running tool sees its own signal and releases when it has stopped writing.
      if (call.stage === "granted") return { state, effects: [] };
      return end(policy, state, [input.call], [cancelled(input.call)]);
    case "tick":
      return tick(policy, state, input.atMs);
    case "spawn":
      return spawn(policy, state, input);
    case "finish":
      if (state.children.get(input.child)?.fence !== input.fence) break;
      return end(policy, state, [input.child], []);
    case "close":
      return close(policy, state, input.owner, input.atMs);
    default:
      return assertNever(input);
  }
  return { state, effects: [{ type: "stale", input }] };
}

function request(policy: LeasePolicy, state: LeaseState, input: RequestInput): LeaseStep {
  const { call, owner } = input;
  if (isKnown(state, call)) return refuse(state, input, "duplicate-call");
  if (input.aborted) return { state, effects: [cancelled(call)] };
  if (state.closed.has(owner)) return refuse(state, input, "owner-closed");
  const footprint = normaliseFootprint(input.footprint);
  if (!footprint) return refuse(state, input, "outside-workspace");
  const writer = firstInTheWay(policy, state.children, ({ paths }) => paths, intents(footprint));
  if (writer) return refuse(state, input, "child-writing", writer);
  const deadlineMs = input.atMs + policy.waitLimitMs;
  const asked: LeaseCall = { owner, footprint, stage: "approving", deadlineMs, fence: null };
  if (!input.needsApproval) return enqueue(policy, state, input, asked);
  return { state: putCall(state, call, asked), effects: [{ type: "ask-approval", call }] };
}

/** Queue first, then pump: one rule decides who may run, so nobody overtakes a waiter on a fast path. */
function enqueue(
  policy: LeasePolicy,
  state: LeaseState,
  input: RequestInput | ApproveInput,
  call: LeaseCall,
): LeaseStep {
  if (policy.conflict === "refuse") {
    const held = ({ stage, footprint }: LeaseCall) => (stage === "granted" ? pathsOf(footprint) : []);
    const busy = firstInTheWay(policy, state.calls, held, pathsOf(call.footprint));
    if (busy) return refuse(drop(state, [input.call]), input, "root-busy", busy);
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
  const sibling = firstInTheWay(policy, state.children, (other) => other.paths, paths);
  if (sibling) return refuse(state, input, "child-conflict", sibling);
  // An intent, whatever the stage.
  const writer = firstInTheWay(policy, state.calls, ({ footprint }) => intents(footprint), paths);
  if (writer) return refuse(state, input, "root-writing", writer);

  const fence = state.nextFence;
  const beside = idsWhere(state.calls, ({ footprint, stage }) => footprint.kind === "workspace" && stage === "granted");
  return {
    state: { ...state, children: new Map(state.children).set(child, { owner, paths, fence }), nextFence: fence + 1 },
    effects: [
      { type: "spawned", child, fence },
      ...beside.map((call): LeaseEffect => ({ type: "overlaps-child", call, children: [child] })),
    ],
  };
}

/** Fencing comes first: a waiter that the stuck work held back gets its lease even if its own deadline has come. */
function tick(policy: LeasePolicy, state: LeaseState, atMs: number): LeaseStep {
  const isStuck = ({ owner }: LeaseCall | LeaseChild) => stuckAtMs(policy, state, owner) <= atMs;
  const calls = idsWhere(state.calls, isStuck);
  const children = idsWhere(state.children, isStuck);
  const fenced = end(
    policy,
    state,
    [...calls, ...children],
    [
      ...calls.map((call): LeaseEffect => ({ type: "fenced", call })),
      ...children.map((child): LeaseEffect => ({ type: "fenced", child })),
    ],
  );

  const late = [...fenced.state.calls].filter(([, { deadlineMs }]) => deadlineMs !== null && deadlineMs <= atMs);
  const expired = late.map(([call, { footprint }]): LeaseEffect => {
    const [path = rootPath] = pathsOf(footprint);
    return { type: "expired", call, path, retryable: true };
  });
  // All leave before anybody is granted: a late waiter must not run in the place of another late one.
  return end(
    policy,
    fenced.state,
    late.map(([call]) => call),
    [...fenced.effects, ...expired],
  );
}

/** Closes for good. What runs keeps its lease, because it may still write; the stuck limit bounds that. */
function close(policy: LeasePolicy, state: LeaseState, owner: string, atMs: number): LeaseStep {
  if (state.closed.has(owner)) return { state, effects: [] };
  const dropped = idsWhere(state.calls, (call) => call.owner === owner && call.stage !== "granted");
  const closed = new Map(state.closed).set(owner, atMs);
  return end(policy, { ...state, closed }, dropped, dropped.map(cancelled));
}

/** Calls and children leave, and whoever they held back comes in: neither happens without the other. */
function end(
  policy: LeasePolicy,
  state: LeaseState,
  ids: readonly string[],
  effects: readonly LeaseEffect[],
): LeaseStep {
  return pump(policy, drop(state, ids), effects);
}

function cancelled(call: string): LeaseEffect {
  return { type: "cancelled", call };
}

function refused(input: LeaseInput, reason: LeaseRefusal, about?: InTheWay): LeaseEffect {
  return { type: "refused", input, reason, ...about };
}

function refuse(state: LeaseState, input: LeaseInput, reason: LeaseRefusal, about?: InTheWay): LeaseStep {
  return { state, effects: [refused(input, reason, about)] };
}

/** Calls and children share no id. */
function isKnown(state: LeaseState, id: string): boolean {
  return state.calls.has(id) || state.children.has(id);
}
