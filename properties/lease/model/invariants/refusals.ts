/** What is refused: for the first cause in the contract's order, with the path and the holder, and then nothing has changed. */
import type { Footprint, LeaseInput, LeaseRefusal, LeaseState } from "../../../../core/lease/state.ts";
import type { InStep, Setting } from "../rules.ts";
import { sameTable } from "./same-table.ts";

type Asks = Extract<LeaseInput, { readonly type: "request" | "spawn" | "approve" | "deny" }>;
type Cause = { readonly reason: LeaseRefusal; readonly path?: string; readonly holder?: string };

export function refusedForCause(setting: Setting): InStep {
  return {
    name: "lease/refused-for-cause",
    violation(before, deed, after, effects) {
      if (deed.type !== "request" && deed.type !== "spawn" && deed.type !== "approve" && deed.type !== "deny")
        return null;
      const cause = causeOf(setting, before.lease, deed);
      const [first] = effects;
      if (cause === "cancelled") {
        const isSo = effects.length === 1 && first?.type === "cancelled" && sameTable(before.lease, after.lease);
        return isSo ? null : `an aborted call was ${first?.type}`;
      }
      const found = first?.type === "refused" ? first : null;
      if (cause?.reason !== found?.reason || cause?.path !== found?.path || cause?.holder !== found?.holder) {
        return `refused for ${text(found)}, expected ${text(cause)}`;
      }
      // A call that was accepted and is refused later has been there.
      if (cause === null || deed.type === "approve" || deed.type === "deny") return null;
      return sameTable(before.lease, after.lease) ? null : "a refusal changed something";
    },
  };
}

function causeOf(setting: Setting, lease: LeaseState, input: Asks): Cause | "cancelled" | null {
  switch (input.type) {
    case "request":
      return callCause(setting, lease, input);
    case "spawn":
      return childCause(setting, lease, input);
    case "deny":
      return lease.calls.get(input.call)?.stage === "approving" ? { reason: "denied" } : null;
    case "approve": {
      const call = lease.calls.get(input.call);
      return call?.stage === "approving" ? siblingCause(setting, lease, call.footprint) : null;
    }
  }
}

function callCause(setting: Setting, lease: LeaseState, input: LeaseInput<"request">): Cause | "cancelled" | null {
  const { ground } = setting;
  const { call, owner, footprint } = input;
  if (lease.calls.has(call) || lease.children.has(call)) return { reason: "duplicate-call" };
  if (input.aborted) return "cancelled";
  if (lease.closed.has(owner)) return { reason: "owner-closed" };
  const path = footprint.kind === "file" ? ground.normal(footprint.path) : ".";
  if (path === null) return { reason: "outside-workspace" };
  if (footprint.kind === "file") {
    for (const [holder, { paths }] of lease.children) {
      if (paths.some((claimed) => ground.overlap(claimed, path))) return { reason: "child-writing", path, holder };
    }
  }
  if (input.needsApproval) return null;
  return siblingCause(setting, lease, footprint.kind === "file" ? { ...footprint, path } : footprint);
}

/** Under conflict `refuse` nobody waits. */
function siblingCause({ policy, ground }: Setting, lease: LeaseState, footprint: Footprint): Cause | null {
  if (policy.conflict === "queue") return null;
  const path = footprint.kind === "file" ? footprint.path : ".";
  for (const [holder, other] of lease.calls) {
    if (other.stage === "granted" && ground.meet(other.footprint, footprint))
      return { reason: "root-busy", path, holder };
  }
  return null;
}

function childCause({ ground }: Setting, lease: LeaseState, input: LeaseInput<"spawn">): Cause | null {
  if (lease.calls.has(input.child) || lease.children.has(input.child)) return { reason: "duplicate-child" };
  if (lease.closed.has(input.owner)) return { reason: "owner-closed" };
  if (input.paths.length === 0) return { reason: "no-paths" };
  const paths = input.paths.map((raw) => ground.normal(raw) ?? "");
  if (paths.includes("")) return { reason: "outside-workspace" };
  for (const [holder, other] of lease.children) {
    const path = paths.find((path) => other.paths.some((claimed) => ground.overlap(claimed, path)));
    if (path !== undefined) return { reason: "child-conflict", path, holder };
  }
  for (const [holder, { footprint }] of lease.calls) {
    const path = paths.find((path) => footprint.kind === "file" && ground.overlap(footprint.path, path));
    if (path !== undefined) return { reason: "root-writing", path, holder };
  }
  return null;
}

function text(cause: Cause | null): string {
  return cause === null
    ? "nothing"
    : [cause.reason, cause.path, cause.holder].filter((part) => part !== undefined).join(" ");
}

export function spawnAllOrNothing({ ground }: Setting): InStep {
  return {
    name: "lease/spawn-all-or-nothing",
    violation(before, deed, after, effects) {
      if (deed.type !== "spawn") return null;
      if (effects.some(({ type }) => type === "refused")) {
        return sameTable(before.lease, after.lease) ? null : `${deed.child} was refused, and something has changed`;
      }
      const claimed = after.lease.children.get(deed.child)?.paths ?? [];
      const missing = deed.paths.find((raw) => !claimed.some((path) => ground.normal(raw) === path));
      return missing === undefined ? null : `${deed.child} was spawned without ${missing}`;
    },
  };
}
