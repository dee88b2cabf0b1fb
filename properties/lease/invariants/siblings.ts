/** What holds between the root's own calls. */
import type { Footprint } from "../../../core/lease/state.ts";
import type { Invariant } from "../../invariant.ts";
import type { LeaseHistory } from "../history.ts";

export const siblingCallsQueue: Invariant<LeaseHistory> = {
  name: "lease/sibling-calls-queue",
  why: "Calls of one assistant message really run at the same time; to refuse one is to lose work that nobody forbade.",
  violation({ sightings }) {
    const running: string[] = [];
    for (const sighting of sightings) {
      if (sighting.seen === "granted") running.push(sighting.call);
      else if (sighting.seen === "released") running.splice(running.indexOf(sighting.call), 1);
      else if (sighting.seen === "refused" && running.length > 0) {
        return `${sighting.call} was refused (${sighting.reason}) while ${running.join(", ")} ran; it had only to wait`;
      }
    }
    return undefined;
  },
};

export const singleWriter: Invariant<LeaseHistory> = {
  name: "lease/single-writer",
  why: "Two calls that write one file lose an edit, and nobody sees an error.",
  violation({ sightings }) {
    const footprints = new Map<string, Footprint>();
    const running = new Map<string, Footprint>();
    for (const sighting of sightings) {
      if (sighting.seen === "requested") footprints.set(sighting.call, sighting.footprint);
      if (sighting.seen === "released") running.delete(sighting.call);
      if (sighting.seen !== "granted") continue;
      const footprint = footprints.get(sighting.call);
      if (footprint === undefined) return `${sighting.call} was granted and never asked`;
      for (const [other, held] of running) {
        if (collide(footprint, held)) return `${sighting.call} was granted while ${other} ran on the same files`;
      }
      running.set(sighting.call, footprint);
    }
    return undefined;
  },
};

export const oneOutcome: Invariant<LeaseHistory> = {
  name: "lease/one-outcome",
  why: "A call that gets no answer hangs its agent; one that gets two runs twice.",
  violation({ sightings }) {
    const open = new Set<string>();
    for (const { seen, call } of sightings) {
      if (seen === "requested") open.add(call);
      else if (seen !== "released" && !open.delete(call)) return `${call} was ${seen} once it had its outcome`;
    }
    const [left] = open;
    return left === undefined ? undefined : `${left} never got an outcome`;
  },
};

/** Spelled out instead of asking the core: a fault there must not blind its own check. Paths here are normalised. */
function collide(one: Footprint, other: Footprint): boolean {
  if (one.kind === "none" || other.kind === "none") return false;
  if (one.kind === "workspace" || other.kind === "workspace") return true;
  return one.path === other.path || one.path.startsWith(`${other.path}/`) || other.path.startsWith(`${one.path}/`);
}
