/** The only place where a waiter is granted. Every transition that may have freed somebody ends here. */
import { type Draft, running } from "./draft.ts";
import { firstInTheWay, pathsOf } from "./footprint.ts";

/** Walks the queue in order of arrival, grants whoever nothing stands in the way of, and forgets who has left. */
export function pump(draft: Draft): void {
  /** Whom nobody further back in the queue may overlap. */
  const ahead = running(draft);
  const queue: string[] = [];
  for (const id of draft.queue) {
    const call = draft.calls.get(id);
    if (!call) continue;
    if (firstInTheWay(draft, ahead, pathsOf(call))) {
      queue.push(id);
      // Under `arrival` nobody overtakes a waiter it overlaps. Under `per-path` nobody overtakes one of the same path, and
      // that needs no look: the grant that holds the one back holds the other back, too.
      if (draft.policy.queue === "arrival") ahead.push([id, call]);
    } else {
      ahead.push([id, call]);
      const fence = draft.nextFence++;
      draft.calls.set(id, { ...call, stage: "granted", deadlineMs: null, fence });
      draft.effects.push({ type: "granted", call: id, fence });
      // Claims do not hold a workspace call back, so the host is told what it runs beside.
      if (call.footprint.kind === "workspace" && draft.children.size > 0) {
        draft.effects.push({ type: "overlaps-child", call: id, children: [...draft.children.keys()] });
      }
    }
  }
  draft.queue = queue;
}
