/** Deadlines, and the timer that keeps them. */
import { isOpen, pathsOf } from "../seen.ts";
import { promise } from "./promise.ts";

export const boundedWait = promise({
  name: "lease/bounded-wait",
  why: "Whoever waits knows for how long at most, and may then try again.",
  atSight(before, sighting) {
    if (sighting.seen === "woken") {
      const { overMs = Number.NEGATIVE_INFINITY } = sighting;
      const late = before.open().find(({ deadlineMs }) => deadlineMs <= overMs);
      return late && `${late.id} outlived its deadline`;
    }
    if (sighting.seen !== "expired") return undefined;
    const call = before.calls.get(sighting.call);
    if (call === undefined) return undefined;
    if (!before.due.has(call)) return `${call.id} expired before its time`;
    if (before.freed.has(call)) return `${call.id} expired, and nothing was in its way any more`;
    const [path = "."] = pathsOf(call.footprint);
    if (sighting.path === null || sighting.path === path) return undefined;
    return `${call.id} expired for ${sighting.path}; it waited for ${path}`;
  },
  between(view) {
    const late = view.isTimerSeen ? [...view.due].find(isOpen) : undefined;
    // A yes that came since gives it a new deadline.
    return late !== undefined && late.deadlineMs <= view.nowMs ? `${late.id} outlived its deadline` : undefined;
  },
});

/** Only where its timer can be seen. */
export const wakesInTime = promise({
  name: "lease/next-deadline",
  why: "A limit that nobody wakes up for does not exist; to wake up for nothing is to drain a battery.",
  between(view) {
    const { sleepsUntilMs, nowMs } = view;
    if (sleepsUntilMs === undefined) return undefined;
    const dueMs = view.nextDueMs();
    if (dueMs !== null && (sleepsUntilMs === null || sleepsUntilMs > Math.max(dueMs, nowMs))) {
      return `it sleeps ${until(sleepsUntilMs)}, and something is due at ${dueMs} ms`;
    }
    if (sleepsUntilMs === null || (dueMs !== null && dueMs <= Math.max(sleepsUntilMs, nowMs))) return undefined;
    return `it sleeps ${until(sleepsUntilMs)}, and ${dueMs === null ? "nothing is due" : `nothing is due before ${dueMs} ms`}`;
  },
});

function until(ms: number | null): string {
  return ms === null ? "for ever" : `until ${ms} ms`;
}
