/** Fences grow, and a stale one opens nothing. */
import { promise } from "./promise.ts";

export const fenceGrows = promise({
  name: "lease/fence-grows",
  why: "A lease can end while its holder works; only a fence that was never used before tells.",
  atSight(before, sighting) {
    if (sighting.seen === "granted" || sighting.seen === "spawned") {
      const { fence } = sighting;
      const id = sighting.seen === "granted" ? sighting.call : sighting.child;
      if (fence === null) return undefined;
      if (before.fences.has(fence)) return `${id} was given ${fence}, which somebody had before`;
      // Of those that were asked for side by side, the later one may be seen first.
      const then = sighting.seen === "granted" ? before.calls.get(id)?.fencesThen : before.spawn(sighting)?.fencesThen;
      return fence < (then ?? 0) ? `${id} was given ${fence} after ${then}` : undefined;
    }
    if (sighting.seen !== "may-write" || !sighting.may || before.fencedOff.has(sighting.holder, sighting.fence))
      return undefined;
    const { holder, fence, path } = sighting;
    const call = before.calls.get(holder);
    const isHeld = call?.stage === "runs" ? call.fence === fence : before.children.get(holder)?.fence === fence;
    return isHeld ? undefined : `${holder} may write ${path} with fence ${fence}, which it has no more`;
  },
});
