/** When something is due: a wait that is too long, work that is stuck. */
import { isOpen, type SeenLease, type SeenTable } from "./seen.ts";

/** When stuck work is taken away; never where its owner is not closed. */
export function stuckAtMs({ policy, closedAtMs }: SeenTable, { owner }: SeenLease): number {
  return (closedAtMs.get(owner) ?? Infinity) + policy.stuckLimitMs;
}

/** When the next thing is due, or null. */
export function nextDueMs(table: SeenTable): number | null {
  const calls = [...table.calls.values()];
  const running: readonly SeenLease[] = [...calls.filter(({ stage }) => stage === "runs"), ...table.children.values()];
  const deadlinesMs = calls.filter(isOpen).map(({ deadlineMs }) => deadlineMs);
  const earliestMs = Math.min(...deadlinesMs, ...running.map((lease) => stuckAtMs(table, lease)));
  return earliestMs === Infinity ? null : earliestMs;
}
