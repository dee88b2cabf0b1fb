/** Who may hold what beside whom. */
import { isOpen } from "../seen.ts";
import { promise } from "./promise.ts";

export const singleWriter = promise({
  name: "lease/single-writer",
  why: "Two calls that write one file lose an edit, and nobody sees an error.",
  atSight(before, sighting) {
    if (sighting.seen === "spawned") {
      const verdict = before.spawn(sighting)?.verdict;
      if (verdict?.reason !== "child-conflict") return undefined;
      return `${sighting.child} was spawned on ${verdict.path}, which ${verdict.holder} has claimed`;
    }
    if (sighting.seen !== "granted") return undefined;
    const call = before.calls.get(sighting.call);
    if (call === undefined) return `${sighting.call} was granted and never asked`;
    const other = before
      .running()
      .find(({ id, footprint }) => id !== call.id && before.meet(call.footprint, footprint));
    if (other !== undefined) return `${call.id} was granted while ${other.id} ran on the same files`;
    const child = before.claimant(call.footprint);
    return child && `${call.id} was granted on the files of ${child.id}`;
  },
});

export const parentChildExclusive = promise({
  name: "lease/parent-child-exclusive",
  why: "A parent that waits for its own child's file may wait for ever, so neither may come to where the other is.",
  atSight(before, sighting) {
    if (sighting.seen === "granted") {
      const verdict = before.calls.get(sighting.call)?.atTheDoor;
      if (verdict?.reason !== "child-writing") return undefined;
      return `${sighting.call} was let in on ${verdict.path}, which ${verdict.holder} has claimed`;
    }
    if (sighting.seen !== "spawned") return undefined;
    const verdict = before.spawn(sighting)?.verdict;
    if (verdict?.reason !== "root-writing") return undefined;
    return `${sighting.child} was spawned on ${verdict.path}, where ${verdict.holder} writes or is about to`;
  },
  between(view) {
    const call = view.open().find(({ footprint }) => view.claimant(footprint) !== undefined);
    return call && `${call.id} was accepted on the files of ${view.claimant(call.footprint)?.id}`;
  },
});

export const keepsItsLease = promise({
  name: "lease/keeps-its-lease",
  why: "Whoever writes must not lose its lease while it does: the next one would write, too.",
  atSight(before, sighting) {
    if (sighting.seen !== "may-write" || sighting.may) return undefined;
    const { holder, fence, path } = sighting;
    const call = before.calls.get(holder);
    const runs = call?.stage === "runs" && call.fence === fence;
    if (!runs && before.children.get(holder)?.fence !== fence) return undefined;
    return `${holder} may not write ${path}, and has not given it back`;
  },
});

export const controlCallsPass = promise({
  name: "lease/control-calls-pass",
  why: "Who only reads, waits or cancels is how an agent gets out of trouble; it must not stand in a queue.",
  between(view) {
    const call = view.queue.find(({ footprint }) => footprint.kind === "none");
    return call && `${call.id} writes nothing, and waits`;
  },
});

export const approvedFirst = promise({
  name: "lease/approved-first",
  why: "Who has to be asked is asked before it runs, not told afterwards.",
  atSight(before, sighting) {
    if (sighting.seen !== "granted" && sighting.seen !== "asked") return undefined;
    const call = before.calls.get(sighting.call);
    if (call === undefined) return undefined;
    if (sighting.seen === "asked") {
      return call.needsApproval && isOpen(call) ? undefined : `approval was asked for ${call.id}, which needs none`;
    }
    return call.needsApproval && call.answer !== "yes" ? `${call.id} runs, and nobody said yes` : undefined;
  },
});
