/**
 * Whatever a host may say next, and what no right host says: unknown ids, ids given out twice, foreign fences, answers to
 * calls that did not ask. It depends on nothing that the normal form takes away, but for the names it gives.
 */
import type { LeaseInput, LeasePolicy, LeaseState } from "../../../core/lease/state.ts";
import type { LeaseBounds } from "./bounds.ts";
import type { Ground } from "./ground.ts";
import { callId, childId, goneId, hasSomething, isOwnerRemembered, isRemembered } from "./normal-form.ts";
import { type Deed, type LeaseWorld, openOwner } from "./world.ts";

type Emit = (deed: Deed) => void;

/** Handed out before the table began; whoever held it is gone. */
export const oldFence = 0;
export const nobody = "nobody";

export type Environment = {
  readonly policy: LeasePolicy;
  readonly bounds: LeaseBounds;
  readonly ground: Ground;
  /** Without them for liveness: they change nothing, and are judged elsewhere. */
  readonly strangers: boolean;
};

export function inputsOf(environment: Environment): (world: LeaseWorld, emit: Emit) => void {
  const { policy, bounds } = environment;
  return (world, emit) => {
    const { calls, children } = world.lease;
    const strangers = environment.strangers && calls.size + children.size <= bounds.misfits;
    const gone = [...world.lease.closed.keys()].filter((owner) => isOwnerRemembered(policy, world, owner));
    requests(environment, world, emit);
    const seen = new Set<string>();
    for (const [id, { stage }] of calls) {
      // What does not fit a stage is tried on the first call in it.
      deedsOf(id, world.lease, strangers && !seen.has(stage), world.nowMs, emit);
      seen.add(stage);
    }
    spawns(environment, world, emit);
    finishes(world.lease, strangers, emit);
    if (gone.length < bounds.closes) closes(world, emit);
    emit({ type: "tick", atMs: world.nowMs });
    if (somethingIsDue(policy, world)) emit({ type: "tick", atMs: world.nowMs + 1 });
    if (timeRunsDown(policy, world)) emit({ type: "pass" });
    if (strangers) misfits(environment, world, gone, emit);
  };
}

function requests({ bounds, ground }: Environment, world: LeaseWorld, emit: Emit): void {
  const { told, lease, nowMs: atMs } = world;
  const count = [...told.keys()].filter((id) => isRemembered(world, id)).length;
  if (count >= bounds.calls || count + lease.children.size >= bounds.together) return;
  const call = free(callId, told);
  const base: Omit<LeaseInput<"request">, "footprint" | "needsApproval"> = {
    type: "request",
    call,
    owner: openOwner,
    atMs,
    aborted: false,
  };
  const asks = [...lease.calls.values()].filter(({ stage }) => stage === "approving").length < bounds.approvals;
  for (const footprint of ground.footprints) {
    emit({ ...base, footprint, needsApproval: false });
    if (asks) emit({ ...base, footprint, needsApproval: true });
  }
  for (const { raw } of ground.spellings) {
    emit({ ...base, footprint: { kind: "file", path: raw }, needsApproval: false });
  }
}

/** What fits its stage, and with strangers what does not. */
function deedsOf(call: string, lease: LeaseState, strangers: boolean, atMs: number, emit: Emit): void {
  const { stage, fence } = lease.calls.get(call) ?? { stage: "waiting", fence: null };
  if (stage === "approving" || strangers) {
    emit({ type: "approve", call, atMs });
    emit({ type: "deny", call });
  }
  if (stage === "granted" && fence !== null) emit({ type: "release", call, fence });
  if (strangers) emit({ type: "release", call, fence: foreignFence(lease, call) });
  emit({ type: "abort", call, atMs });
}

function spawns({ bounds, ground }: Environment, { lease, nowMs: atMs }: LeaseWorld, emit: Emit): void {
  const { size } = lease.children;
  if (size >= bounds.children || size + lease.calls.size >= bounds.together) return;
  const child = free(childId, lease.children);
  for (const paths of ground.claims) emit({ type: "spawn", child, owner: openOwner, paths, atMs });
}

function finishes(lease: LeaseState, strangers: boolean, emit: Emit): void {
  for (const [child, { fence }] of lease.children) {
    emit({ type: "finish", child, fence });
    if (strangers) emit({ type: "finish", child, fence: foreignFence(lease, child) });
  }
}

/** Whoever is there may be of the owner that closes: every choice of them, also none. */
function closes({ lease, nowMs: atMs }: LeaseWorld, emit: Emit): void {
  const open = [...lease.calls, ...lease.children].filter(([, { owner }]) => owner === openOwner).map(([id]) => id);
  const owner = free(goneId, lease.closed);
  for (let choice = 0; choice < 1 << open.length; choice++) {
    emit({ type: "close", owner, atMs, owning: open.filter((_, place) => choice & (1 << place)) });
  }
}

/** Who is refused whatever the table holds, and who is not known. */
function misfits({ ground }: Environment, world: LeaseWorld, gone: readonly string[], emit: Emit): void {
  const { lease, told, nowMs: atMs } = world;
  const [path = "."] = ground.paths;
  const call = free(callId, told);
  const child = free(childId, lease.children);
  const request = (more: Partial<LeaseInput<"request">>) =>
    emit({
      type: "request",
      call,
      owner: openOwner,
      atMs,
      footprint: { kind: "file", path },
      needsApproval: false,
      aborted: false,
      ...more,
    });
  const spawn = (more: Partial<LeaseInput<"spawn">>) =>
    emit({ type: "spawn", child, owner: openOwner, paths: [path], atMs, ...more });

  request({ aborted: true });
  request({ footprint: { kind: "file", path: ground.outside } });
  spawn({ paths: [] });
  spawn({ paths: [path, ground.outside] });
  for (const [id] of [...lease.calls].slice(0, 1)) {
    request({ call: id });
    spawn({ child: id });
  }
  for (const [id] of [...lease.children].slice(0, 1)) {
    request({ call: id });
    spawn({ child: id });
  }
  for (const owner of gone) {
    request({ owner });
    spawn({ owner });
    emit({ type: "close", owner, atMs, owning: [] });
  }
  emit({ type: "approve", call: nobody, atMs });
  emit({ type: "deny", call: nobody });
  emit({ type: "release", call: nobody, fence: oldFence });
  emit({ type: "abort", call: nobody, atMs });
  emit({ type: "finish", child: nobody, fence: oldFence });
}

/** Somebody else's, so that a mix-up hurts; an old one where nobody else holds any. */
function foreignFence({ calls, children }: LeaseState, id: string): number {
  for (const [other, { fence }] of calls) if (other !== id && fence !== null) return fence;
  for (const [other, { fence }] of children) if (other !== id) return fence;
  return oldFence;
}

/** The first name that nobody has, or had as far as anybody remembers. */
function free(nameOf: (place: number) => string, taken: { has(name: string): boolean }): string {
  let place = 0;
  while (taken.has(nameOf(place))) place++;
  return nameOf(place);
}

/** Then a tick may come on the dot, or late. */
function somethingIsDue({ stuckLimitMs }: LeasePolicy, { lease, nowMs }: LeaseWorld): boolean {
  for (const { deadlineMs } of lease.calls.values()) if (deadlineMs !== null && deadlineMs <= nowMs) return true;
  for (const [owner, closedAtMs] of lease.closed) {
    if (nowMs - closedAtMs >= stuckLimitMs && hasSomething(lease, owner)) return true;
  }
  return false;
}

/** Otherwise the state is the same a moment later. */
function timeRunsDown({ stuckLimitMs }: LeasePolicy, { lease, nowMs }: LeaseWorld): boolean {
  for (const { deadlineMs } of lease.calls.values()) if (deadlineMs !== null && deadlineMs > nowMs) return true;
  for (const closedAtMs of lease.closed.values()) if (nowMs - closedAtMs < stuckLimitMs) return true;
  return false;
}
