/** What a call is told when it asks, and when it would be put into the queue, where that is not yes. */
import type { Footprint } from "../../core/lease/state.ts";
import type { LeaseSighting } from "./history.ts";
import { normalPath, overlap } from "./paths.ts";
import { meet } from "./queue-order.ts";
import { pathsOf, type SeenCall, type SeenChild, type SeenTable } from "./seen.ts";
import type { Verdict } from "./verdict.ts";

type Request = Extract<LeaseSighting, { readonly seen: "requested" }>;

/** A call at the moment in which it asks. `fencesThen`: the highest fence seen. */
export function seenCall(table: SeenTable, asked: Request, fencesThen: number): SeenCall {
  const { call: id, owner, needsApproval, aborted, atMs } = asked;
  const path = asked.footprint.kind === "file" ? normalPath(asked.footprint.path) : null;
  const footprint: Footprint = path === null ? asked.footprint : { kind: "file", path };
  return {
    id,
    owner,
    footprint,
    asked: asked.footprint.kind === "file" ? asked.footprint.path : null,
    needsApproval,
    stage: needsApproval ? "approving" : "waiting",
    deadlineMs: atMs + table.policy.waitLimitMs,
    fence: null,
    atTheDoor: doorVerdict(table, asked, footprint, path),
    busy: null,
    answer: null,
    died: aborted,
    fencesThen,
    waited: false,
    alone: false,
  };
}

function doorVerdict(
  table: SeenTable,
  { call, owner, aborted }: Request,
  footprint: Footprint,
  path: string | null,
): Verdict | null {
  if (table.children.has(call)) return { reason: "duplicate-call" };
  if (aborted) return { reason: "cancelled" };
  if (table.closedAtMs.has(owner)) return { reason: "owner-closed" };
  if (footprint.kind !== "file") return null;
  if (path === null) return { reason: "outside-workspace", path: footprint.path };
  const child = claimant(table, footprint);
  return child === undefined ? null : { reason: "child-writing", path, holder: child.id };
}

/** The child whose claim a file call is in, the first in order of spawn. A command and a child do not exclude each other. */
export function claimant({ policy, children }: SeenTable, footprint: Footprint): SeenChild | undefined {
  if (footprint.kind !== "file") return undefined;
  return [...children.values()].find(({ paths }) => paths.some((path) => overlap(policy, path, footprint.path)));
}

/**
 * The first call that is in the way, in order of request, under conflict `refuse`: one that runs or, as nobody waits
 * there, one that has been let go and has not heard of it.
 */
export function busyVerdict(
  { policy, calls }: SeenTable,
  queue: readonly SeenCall[],
  { footprint }: SeenCall,
): Verdict | null {
  if (policy.conflict === "queue") return null;
  const [path = "."] = pathsOf(footprint);
  const holder = [...calls.values()].find((other) => {
    const isLetGo = queue.includes(other) && other.atTheDoor === null && other.busy === null;
    return (isLetGo || other.stage === "runs") && meet(policy, other.footprint, footprint);
  });
  return holder === undefined ? null : { reason: "root-busy", path, holder: holder.id };
}
