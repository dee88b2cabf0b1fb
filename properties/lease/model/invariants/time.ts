/** Deadlines of waiters, the stuck limit of closed owners, and when the host has to tick. */
import type { LeaseCall, LeasePolicy, LeaseState } from "../../../../core/lease/state.ts";
import { hasSomething } from "../normal-form.ts";
import type { InState, InStep, Setting } from "../rules.ts";
import type { LeaseWorld } from "../world.ts";

export function boundedWait({ policy, ground }: Setting): InStep {
  return {
    name: "lease/bounded-wait",
    violation(before, deed, after, effects) {
      const { nowMs } = after;
      for (const effect of effects) {
        if (effect.type !== "expired") continue;
        const call = before.lease.calls.get(effect.call);
        if (deed.type !== "tick" || call === undefined || !isDue(call, nowMs)) return `${effect.call} expired early`;
        const path = call.footprint.kind === "file" ? call.footprint.path : ".";
        if (effect.path !== path || !effect.retryable) return `${effect.call} expired for ${effect.path}, not ${path}`;
        if (heldByNobody(before.lease, nowMs, effect.call))
          return `${effect.call} expired, and nothing was in its way any more`;
      }
      if (before === after) return null;
      for (const [id, call] of after.lease.calls) {
        if (call.stage === "granted") continue;
        if (call.deadlineMs === null) return `${id} may wait for ever`;
        if (deed.type === "tick" && isDue(call, nowMs)) return `${id} has outlived its deadline`;
        const known = before.lease.calls.get(id);
        const arrives = known === undefined || known.stage !== call.stage;
        const deadlineMs = arrives ? nowMs + policy.waitLimitMs : known.deadlineMs;
        if (call.deadlineMs !== deadlineMs) return `${id} waits until ${call.deadlineMs}, not ${deadlineMs}`;
      }
      return null;
    },
  };

  /** Fencing comes first: whom only stuck work held back is not late. */
  function heldByNobody(lease: LeaseState, nowMs: number, waiter: string): boolean {
    const { calls, queue } = lease;
    const call = calls.get(waiter);
    if (call?.stage !== "waiting") return false;
    const late = (owner: string) => stuckAt(policy, lease, owner) <= nowMs;
    for (const [, other] of calls) {
      if (other.stage === "granted" && !late(other.owner) && ground.meet(other.footprint, call.footprint)) return false;
    }
    return !queue
      .slice(0, queue.indexOf(waiter))
      .some((earlier) => ground.meet(calls.get(earlier)?.footprint ?? { kind: "none" }, call.footprint));
  }
}

function isDue({ stage, deadlineMs }: LeaseCall, nowMs: number): boolean {
  return stage !== "granted" && deadlineMs !== null && deadlineMs <= nowMs;
}

export function closeLeavesNothing({ policy }: Setting): InStep {
  return {
    name: "lease/close-leaves-nothing",
    violation(before, deed, after) {
      if (before === after) return null;
      const { lease, nowMs } = after;
      for (const [owner, atMs] of before.lease.closed) {
        const now = lease.closed.get(owner);
        if (now !== atMs) return `${owner} closed at ${atMs}, and now at ${now}`;
      }
      if (deed.type === "close" && !lease.closed.has(deed.owner)) return `${deed.owner} is not closed`;
      for (const [owner, atMs] of lease.closed) {
        for (const [id, call] of lease.calls) {
          if (call.owner === owner && call.stage !== "granted") return `${owner} is closed, and ${id} is ${call.stage}`;
        }
        const late = deed.type === "tick" && atMs + policy.stuckLimitMs <= nowMs;
        if (late && hasSomething(lease, owner)) return `${owner} still has something after the stuck limit`;
      }
      return null;
    },
  };
}

/** What runs keeps its lease until it is given back, or its owner has closed and the stuck limit has passed. */
export function keepsItsLease({ policy }: Setting): InStep {
  return {
    name: "lease/keeps-its-lease",
    violation(before, deed, after) {
      if (before.lease === after.lease) return null;
      const lateOwner = (owner: string) => deed.type === "tick" && stuckAt(policy, before.lease, owner) <= after.nowMs;
      for (const [id, { stage, owner, fence }] of before.lease.calls) {
        if (stage !== "granted" || after.lease.calls.get(id)?.fence === fence || lateOwner(owner)) continue;
        if (deed.type !== "release" || deed.call !== id || deed.fence !== fence) return `${id} lost its lease`;
      }
      for (const [id, { owner, fence }] of before.lease.children) {
        if (after.lease.children.get(id)?.fence === fence || lateOwner(owner)) continue;
        if (deed.type !== "finish" || deed.child !== id || deed.fence !== fence) return `${id} lost its claim`;
      }
      return null;
    },
  };
}

export function tickInTime({ policy, reducer }: Setting): InState {
  return {
    name: "lease/next-deadline",
    violation({ lease }) {
      const said = reducer.nextDeadlineMs(policy, lease);
      const due = nextDue(policy, lease);
      return said === due ? null : `the host is told to tick at ${said}, and something is due at ${due}`;
    },
  };
}

/** A tick before that time changes nothing, one at that time does. */
export function tickOnlyThen({ policy }: Setting): InStep {
  return {
    name: "lease/next-deadline",
    violation(before, deed, _after, effects) {
      if (deed.type !== "tick") return null;
      const due = nextDue(policy, before.lease);
      const isTime = due !== null && due <= deed.atMs;
      if (isTime === effects.length > 0) return null;
      return isTime ? `nothing ended at ${deed.atMs}` : `${effects[0]?.type} before anything was due`;
    },
  };
}

function nextDue(policy: LeasePolicy, lease: LeaseState): number | null {
  let due = Number.POSITIVE_INFINITY;
  for (const { deadlineMs, owner } of lease.calls.values()) {
    due = Math.min(due, deadlineMs ?? stuckAt(policy, lease, owner));
  }
  for (const { owner } of lease.children.values()) due = Math.min(due, stuckAt(policy, lease, owner));
  return due === Number.POSITIVE_INFINITY ? null : due;
}

function stuckAt({ stuckLimitMs }: LeasePolicy, { closed }: Pick<LeaseState, "closed">, owner: string): number {
  return (closed.get(owner) ?? Number.POSITIVE_INFINITY) + stuckLimitMs;
}

/** Every approval was answered, every granted call released, and time has passed: nothing is going to happen by itself. */
export function quiescent({ lease, told }: LeaseWorld): boolean {
  for (const { stage, deadlineMs } of lease.calls.values()) {
    if (stage === "approving" || deadlineMs !== null) return false;
  }
  for (const what of told.values()) if (what === "runs") return false;
  return true;
}
