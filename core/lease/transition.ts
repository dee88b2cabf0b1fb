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
import { check } from "../shape.ts";
import { dueMs } from "./deadline.ts";
import { type Draft, drop, leaseOf, running } from "./draft.ts";
import { firstInTheWay, type InTheWay, pathsOf } from "./footprint.ts";
import { checkArguments, inputShape } from "./input.ts";
import { normalisePath, outside, rootPath } from "./path.ts";
import { pump } from "./pump.ts";
import type {
  LeaseCall,
  LeaseChild,
  LeaseEffect,
  LeaseInput,
  LeasePolicy,
  LeaseRefusal,
  LeaseState,
  LeaseStep,
  RefusedEffect,
} from "./state.ts";

/**
 * What is said to an input that changes nothing; `stale` to one that fits nothing. One that was accepted needs no answer:
 * it has been written into the draft.
 */
type Answer = LeaseEffect | "stale" | undefined;

type InputType = LeaseInput["type"];
type InputOf<Type extends InputType> = { readonly [T in Type]: Extract<LeaseInput, { readonly type: T }> }[Type];
type Rules = { readonly [Type in InputType]: (draft: Draft, input: InputOf<Type>) => Answer };

/** Moves the lease table by one input. The host performs the returned effects, in order. */
export function transition(policy: LeasePolicy, state: LeaseState, input: LeaseInput): LeaseStep;
export function transition<Type extends InputType>(
  policy: LeasePolicy,
  state: LeaseState,
  input: InputOf<Type>,
): LeaseStep {
  checkArguments(policy, state);
  check("input", input, inputShape);
  const draft: Draft = {
    ...state,
    policy,
    children: new Map(state.children),
    calls: new Map(state.calls),
    effects: [],
  };
  const answer = rules[input.type](draft, input);
  if (answer) return { state, effects: [answer === "stale" ? { type: answer, input } : answer] };
  // Whoever left may have held somebody back, so nobody leaves without it.
  pump(draft);
  const { policy: _, effects, ...next } = draft;
  return { state: next, effects };
}

/** The table: one rule for each input. */
const rules: Rules = {
  request(draft, input) {
    let { call, owner, footprint } = input;
    if (leaseOf(draft, call)) return refused(input, "duplicate-call");
    if (input.aborted) return { type: "cancelled", call };
    if (draft.closed.has(owner)) return refused(input, "owner-closed");
    if (footprint.kind === "file") {
      const path = normalisePath(footprint.path);
      if (path === outside) return refused(input, "outside-workspace");
      const writer = firstInTheWay(draft, draft.children, [path]);
      if (writer) return refused(input, "child-writing", writer);
      footprint = { kind: "file", path };
    }
    const asked: LeaseCall = {
      owner,
      // A copy: the caller may change its own.
      footprint: { ...footprint },
      stage: "approving",
      deadlineMs: input.atMs + draft.policy.waitLimitMs,
      fence: null,
    };
    draft.calls.set(call, asked);
    if (input.needsApproval) draft.effects.push({ type: "ask-approval", call });
    else enqueue(draft, input, asked);
    return undefined;
  },

  approve(draft, input) {
    const call = draft.calls.get(input.call);
    if (call?.stage !== "approving") return "stale";
    enqueue(draft, input, call);
    return undefined;
  },

  deny(draft, input) {
    const call = draft.calls.get(input.call);
    if (call?.stage !== "approving") return "stale";
    drop(draft, input.call, refused(input, "denied"));
    return undefined;
  },

  release(draft, input) {
    // Only a grant has a fence, so a call of another stage cannot match.
    if (draft.calls.get(input.call)?.fence !== input.fence) return "stale";
    drop(draft, input.call);
    return undefined;
  },

  abort(draft, input) {
    const call = draft.calls.get(input.call);
    if (!call) return "stale";
    // A running tool sees its own signal and releases when it has stopped writing.
    if (call.stage === "granted") return undefined;
    drop(draft, input.call, { type: "cancelled", call: input.call });
    return undefined;
  },

  /** Fencing comes first: a waiter that the stuck work held back gets its lease even if its own deadline has come. */
  tick(draft, input) {
    const isDue = (lease: LeaseCall | LeaseChild) => dueMs(draft.policy, draft, lease) <= input.atMs;
    for (const [call, lease] of running(draft)) {
      if (isDue(lease)) drop(draft, call, { type: "fenced", call });
    }
    for (const [child, lease] of draft.children) {
      if (isDue(lease)) drop(draft, child, { type: "fenced", child });
    }
    pump(draft);
    // All leave before anybody is granted: a late waiter must not run in the place of another late one.
    for (const [call, lease] of draft.calls) {
      const [path = rootPath] = pathsOf(lease);
      if (isDue(lease)) drop(draft, call, { type: "expired", call, path, retryable: true });
    }
    return undefined;
  },

  /** All or nothing: every check stands before the claim. */
  spawn(draft, input) {
    const { child, owner } = input;
    if (leaseOf(draft, child)) return refused(input, "duplicate-child");
    if (draft.closed.has(owner)) return refused(input, "owner-closed");
    const paths = input.paths.map(normalisePath);
    if (paths.length === 0) return refused(input, "no-paths");
    if (paths.includes(outside)) return refused(input, "outside-workspace");
    const sibling = firstInTheWay(draft, draft.children, paths);
    if (sibling) return refused(input, "child-conflict", sibling);
    // An intent, whatever the stage.
    const files = [...draft.calls].filter(([, call]) => call.footprint.kind === "file");
    const writer = firstInTheWay(draft, files, paths);
    if (writer) return refused(input, "root-writing", writer);

    const fence = draft.nextFence++;
    draft.children.set(child, { owner, paths, fence });
    draft.effects.push({ type: "spawned", child, fence });
    for (const [call, lease] of running(draft)) {
      if (lease.footprint.kind === "workspace") draft.effects.push({ type: "overlaps-child", call, children: [child] });
    }
    return undefined;
  },

  finish(draft, input) {
    if (draft.children.get(input.child)?.fence !== input.fence) return "stale";
    drop(draft, input.child);
    return undefined;
  },

  /** Closes for good. What runs keeps its lease, because it may still write; the stuck limit bounds that. */
  close(draft, input) {
    const { owner } = input;
    if (draft.closed.has(owner)) return undefined;
    draft.closed = new Map(draft.closed).set(owner, input.atMs);
    for (const [call, lease] of draft.calls) {
      if (lease.owner === owner && lease.stage !== "granted") drop(draft, call, { type: "cancelled", call });
    }
    return undefined;
  },
};

/** Queue first, then pump: one rule decides who may run, so nobody overtakes a waiter on a fast path. */
function enqueue(draft: Draft, input: LeaseInput<"request" | "approve">, call: LeaseCall): void {
  const busy = draft.policy.conflict === "refuse" && firstInTheWay(draft, running(draft), pathsOf(call));
  if (busy) {
    drop(draft, input.call, refused(input, "root-busy", busy));
  } else {
    draft.calls.set(input.call, { ...call, stage: "waiting", deadlineMs: input.atMs + draft.policy.waitLimitMs });
    draft.queue = [...draft.queue, input.call];
  }
}

export function refused(input: LeaseInput, reason: LeaseRefusal, about?: InTheWay): RefusedEffect {
  return { type: "refused", input, reason, ...about };
}
