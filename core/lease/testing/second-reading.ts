/**
 * A second reading of the lease contract: the page's words in the page's order, slow and obvious, written without looking at
 * the core. It shares the core's types and nothing else, so that one misreading cannot hide in both. A quote in a comment is
 * the sentence of the page that decides the line under it.
 */
import type {
  Footprint,
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
} from "../state.ts";

/** A private copy of the state that one transition may write to, and what it has said so far. */
type Draft = {
  readonly policy: LeasePolicy;
  readonly children: Map<string, LeaseChild>;
  readonly calls: Map<string, LeaseCall>;
  queue: string[];
  nextFence: number;
  readonly closed: Map<string, number>;
  readonly effects: LeaseEffect[];
};

/** Answers with the next state and the effects of one input. */
export function readTransition(policy: LeasePolicy, state: LeaseState, input: LeaseInput): LeaseStep {
  const draft: Draft = {
    policy,
    children: new Map(state.children),
    calls: new Map(state.calls),
    queue: [...state.queue],
    nextFence: state.nextFence,
    closed: new Map(state.closed),
    effects: [],
  };
  const { children, calls, queue, nextFence, closed, effects } = apply(draft, input);
  return { state: { children, calls, queue, nextFence, closed }, effects };
}

/** Writes one input into the draft, and like every function below that takes a draft hands it back. */
function apply(draft: Draft, input: LeaseInput): Draft {
  switch (input.type) {
    case "request":
      return request(draft, input);
    case "approve": {
      const call = draft.calls.get(input.call);
      if (call?.stage !== "approving") return stale(draft, input);
      return enqueue(draft, input.call, call, input);
    }
    case "deny": {
      if (draft.calls.get(input.call)?.stage !== "approving") return stale(draft, input);
      // "drop with `refused{denied}`, pump"
      draft.calls.delete(input.call);
      refuse(draft, input, "denied");
      return pump(draft);
    }
    case "release": {
      const call = draft.calls.get(input.call);
      if (call?.stage !== "granted" || call.fence !== input.fence) return stale(draft, input);
      draft.calls.delete(input.call);
      return pump(draft);
    }
    case "abort": {
      const call = draft.calls.get(input.call);
      if (call === undefined) return stale(draft, input);
      // "an abort of a granted call is no such case and yields nothing"
      if (call.stage === "granted") return draft;
      cancel(draft, input.call);
      return pump(draft);
    }
    case "tick":
      return tick(draft, input.atMs);
    case "spawn":
      return spawn(draft, input);
    case "finish": {
      // "the claim ends, if the fence is its own"
      if (draft.children.get(input.child)?.fence !== input.fence) return stale(draft, input);
      draft.children.delete(input.child);
      return pump(draft);
    }
    case "close": {
      // "Again: nothing (the stuck clock does not restart)"
      if (draft.closed.has(input.owner)) return draft;
      draft.closed.set(input.owner, input.atMs);
      // "its approving and waiting calls are dropped with `cancelled`, in order of request"
      for (const [id, call] of [...draft.calls]) {
        if (call.owner === input.owner && call.stage !== "granted") cancel(draft, id);
      }
      return pump(draft);
    }
  }
}

/** "Looked at in this order" */
function request(draft: Draft, input: RequestInput): Draft {
  // "known call id", and "Calls and children share no id", so a child's id is as known as a call's.
  if (isKnown(draft, input.call)) return refuse(draft, input, "duplicate-call");
  if (input.aborted) {
    draft.effects.push({ type: "cancelled", call: input.call });
    return draft;
  }
  if (draft.closed.has(input.owner)) return refuse(draft, input, "owner-closed");
  let footprint: Footprint = input.footprint;
  if (footprint.kind === "file") {
    const path = readPath(footprint.path);
    if (path === undefined) return refuse(draft, input, "outside-workspace");
    // "`holder` is the first in order of request (calls) or spawn (children)", and a map keeps the order of spawn.
    for (const [child, claim] of draft.children) {
      if (claim.paths.some((claimed) => pathsOverlap(draft.policy, claimed, path))) {
        return refuse(draft, input, "child-writing", path, child);
      }
    }
    footprint = { kind: "file", path };
  }
  const call: LeaseCall = { owner: input.owner, footprint, stage: "approving", deadlineMs: null, fence: null };
  if (!input.needsApproval) return enqueue(draft, input.call, call, input);
  // "effect `ask-approval`; it has waitLimitMs to be answered"
  draft.calls.set(input.call, { ...call, deadlineMs: input.atMs + draft.policy.waitLimitMs });
  draft.effects.push({ type: "ask-approval", call: input.call });
  return draft;
}

function enqueue(draft: Draft, id: string, call: LeaseCall, input: LeaseInput & { readonly atMs: number }): Draft {
  if (draft.policy.conflict === "refuse") {
    // "a call that overlaps a grant is dropped with `refused{root-busy, path, holder}` instead of waiting"
    for (const [holder, other] of draft.calls) {
      if (other.stage === "granted" && footprintsOverlap(draft.policy, other.footprint, call.footprint)) {
        draft.calls.delete(id);
        return refuse(draft, input, "root-busy", pathOf(call.footprint), holder);
      }
    }
  }
  // "deadline = atMs + waitLimitMs, append to the queue, pump"
  const deadlineMs = input.atMs + draft.policy.waitLimitMs;
  draft.calls.set(id, { ...call, stage: "waiting", deadlineMs });
  draft.queue.push(id);
  return pump(draft);
}

/** "walk the queue in arrival order" */
function pump(draft: Draft): Draft {
  const { policy } = draft;
  const earlier: Footprint[] = [];
  const stillWaiting: string[] = [];
  for (const id of draft.queue) {
    const call = draft.calls.get(id);
    if (call === undefined) throw new Error(`Call ${id} waits and is not known`);
    const overlapsGrant = [...draft.calls.values()].some(
      (other) => other.stage === "granted" && footprintsOverlap(policy, other.footprint, call.footprint),
    );
    // "no earlier waiter (under `per-path`: no grant and no earlier waiter of the same path ...)"
    const overtakes = earlier.some((other) =>
      policy.queue === "arrival"
        ? footprintsOverlap(policy, other, call.footprint)
        : sameQueuePath(policy, other, call.footprint),
    );
    if (overlapsGrant || overtakes) {
      earlier.push(call.footprint);
      stillWaiting.push(id);
      continue;
    }
    const fence = draft.nextFence;
    draft.nextFence += 1;
    draft.calls.set(id, { ...call, stage: "granted", deadlineMs: null, fence });
    draft.effects.push({ type: "granted", call: id, fence });
    // "a command may run while a child works; effect `overlaps-child{call, children}` says so"
    if (call.footprint.kind === "workspace" && draft.children.size > 0) {
      draft.effects.push({ type: "overlaps-child", call: id, children: [...draft.children.keys()] });
    }
  }
  draft.queue = stillWaiting;
  return draft;
}

function tick(draft: Draft, atMs: number): Draft {
  // "First every grant and child of a closed owner at or past closedAt + stuckLimitMs is fenced off"
  const stuck = (owner: string): boolean => {
    const closedAtMs = draft.closed.get(owner);
    return closedAtMs !== undefined && atMs >= closedAtMs + draft.policy.stuckLimitMs;
  };
  for (const [id, call] of [...draft.calls]) {
    if (call.stage === "granted" && stuck(call.owner)) {
      draft.calls.delete(id);
      draft.effects.push({ type: "fenced", call: id });
    }
  }
  for (const [id, child] of [...draft.children]) {
    if (stuck(child.owner)) {
      draft.children.delete(id);
      draft.effects.push({ type: "fenced", child: id });
    }
  }
  pump(draft);
  // "Then every waiting or approving call whose deadline is at or before atMs is dropped": all of them before the pump.
  for (const [id, call] of [...draft.calls]) {
    if (call.stage !== "granted" && call.deadlineMs !== null && call.deadlineMs <= atMs) {
      drop(draft, id);
      draft.effects.push({ type: "expired", call: id, path: pathOf(call.footprint), retryable: true });
    }
  }
  return pump(draft);
}

/** "All or nothing, in this order" */
function spawn(draft: Draft, input: SpawnInput): Draft {
  const { policy } = draft;
  if (isKnown(draft, input.child)) return refuse(draft, input, "duplicate-child");
  if (draft.closed.has(input.owner)) return refuse(draft, input, "owner-closed");
  if (input.paths.length === 0) return refuse(draft, input, "no-paths");
  const paths: string[] = [];
  for (const raw of input.paths) {
    const path = readPath(raw);
    if (path === undefined) return refuse(draft, input, "outside-workspace");
    paths.push(path);
  }
  // The holder is the first in order, whichever of the paths it stands in the way of; then the first path it holds.
  for (const [holder, other] of draft.children) {
    for (const path of paths) {
      if (other.paths.some((claimed) => pathsOverlap(policy, claimed, path))) {
        return refuse(draft, input, "child-conflict", path, holder);
      }
    }
  }
  // An intent is "writing, waiting to write, or waiting for approval to write": a file call in any stage.
  for (const [holder, { footprint }] of draft.calls) {
    for (const path of paths) {
      if (footprint.kind === "file" && pathsOverlap(policy, footprint.path, path)) {
        return refuse(draft, input, "root-writing", path, holder);
      }
    }
  }
  const fence = draft.nextFence;
  draft.nextFence += 1;
  draft.children.set(input.child, { owner: input.owner, paths, fence });
  draft.effects.push({ type: "spawned", child: input.child, fence });
  // "and `overlaps-child{call, children}` for every granted workspace call": which children, the page leaves open. The news
  // is the new one; the others were named when they came, or when the call was granted.
  for (const [id, call] of draft.calls) {
    if (call.stage === "granted" && call.footprint.kind === "workspace") {
      draft.effects.push({ type: "overlaps-child", call: id, children: [input.child] });
    }
  }
  return draft;
}

/** Answers with the earliest time at which a tick would change something, or null. */
export function readNextDeadlineMs(policy: LeasePolicy, state: LeaseState): number | null {
  const timesMs: number[] = [];
  for (const call of state.calls.values()) {
    if (call.stage !== "granted" && call.deadlineMs !== null) timesMs.push(call.deadlineMs);
  }
  const running = [...[...state.calls.values()].filter((call) => call.stage === "granted"), ...state.children.values()];
  for (const { owner } of running) {
    const closedAtMs = state.closed.get(owner);
    if (closedAtMs !== undefined) timesMs.push(closedAtMs + policy.stuckLimitMs);
  }
  return timesMs.length === 0 ? null : Math.min(...timesMs);
}

/** Answers the check "to make right before the irreversible act". */
export function readMayWrite(
  policy: LeasePolicy,
  state: LeaseState,
  asked: { readonly holder: string; readonly path: string; readonly fence: number },
): boolean {
  const path = readPath(asked.path);
  if (path === undefined) return false;
  const child = state.children.get(asked.holder);
  if (child !== undefined && child.fence === asked.fence) {
    return child.paths.some((claimed) => isSameOrBelow(policy, path, claimed));
  }
  const call = state.calls.get(asked.holder);
  if (call?.stage !== "granted" || call.fence !== asked.fence) return false;
  switch (call.footprint.kind) {
    case "none":
      return false;
    case "workspace":
      return true;
    case "file":
      return isSameOrBelow(policy, path, call.footprint.path);
  }
}

/** Normalises a path as the page lists it, or answers undefined for one that is absolute or leaves the workspace. */
export function readPath(raw: string): string | undefined {
  const slashed = raw.normalize("NFC").replaceAll("\\", "/");
  if (slashed.startsWith("/")) return undefined;
  const parts: string[] = [];
  for (const part of slashed.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  // A drive letter is looked for in the normal form, so that "./C:/x" is as absolute as "C:/x".
  const path = parts.join("/");
  if (/^[a-z]:/i.test(path) || /^[a-z]:/i.test(slashed)) return undefined;
  return path === "" ? "." : path;
}

/** "equal paths, or one is an ancestor folder of the other" */
function pathsOverlap(policy: LeasePolicy, one: string, other: string): boolean {
  return isSameOrBelow(policy, one, other) || isSameOrBelow(policy, other, one);
}

function isSameOrBelow(policy: LeasePolicy, path: string, folder: string): boolean {
  if (folder === ".") return true;
  const lower = comparable(policy, path);
  const upper = comparable(policy, folder);
  return lower === upper || lower.startsWith(`${upper}/`);
}

/** "compared without case where the workspace says so": there and back, because letters of one case can share the other. */
function comparable(policy: LeasePolicy, path: string): string {
  return policy.caseSensitive ? path : path.toLowerCase().toUpperCase().toLowerCase().normalize("NFC");
}

/** "`workspace` overlaps every footprint but `none`" */
function footprintsOverlap(policy: LeasePolicy, one: Footprint, other: Footprint): boolean {
  if (one.kind === "none" || other.kind === "none") return false;
  if (one.kind === "workspace" || other.kind === "workspace") return true;
  return pathsOverlap(policy, one.path, other.path);
}

/** "the workspace counts as one path", and the root is the path that an expired workspace call names. */
function sameQueuePath(policy: LeasePolicy, one: Footprint, other: Footprint): boolean {
  if (one.kind === "none" || other.kind === "none") return false;
  return comparable(policy, pathOf(one)) === comparable(policy, pathOf(other));
}

/** "path `.` for a workspace call"; the page leaves open what a call with footprint `none` names. */
function pathOf(footprint: Footprint): string {
  return footprint.kind === "file" ? footprint.path : ".";
}

function isKnown(draft: Draft, id: string): boolean {
  return draft.calls.has(id) || draft.children.has(id);
}

/** Drops a call that has not run: out of the calls, and out of the queue if it stood there. */
function drop(draft: Draft, id: string): Draft {
  draft.calls.delete(id);
  draft.queue = draft.queue.filter((waiter) => waiter !== id);
  return draft;
}

function cancel(draft: Draft, id: string): Draft {
  drop(draft, id);
  draft.effects.push({ type: "cancelled", call: id });
  return draft;
}

function stale(draft: Draft, input: LeaseInput): Draft {
  draft.effects.push({ type: "stale", input });
  return draft;
}

function refuse(draft: Draft, input: LeaseInput, reason: LeaseRefusal, path?: string, holder?: string): Draft {
  const where = path === undefined || holder === undefined ? {} : { path, holder };
  draft.effects.push({ type: "refused", input, reason, ...where });
  return draft;
}
