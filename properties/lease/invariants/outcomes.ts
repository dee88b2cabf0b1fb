/** What a caller is told: one outcome, in time, and no other. */
import { isOpen, type SeenCall } from "../seen.ts";
import { promise } from "./promise.ts";

const outcomes: ReadonlySet<string> = new Set(["granted", "cancelled", "expired", "refused"]);

/** For the end of a history: until then a call may be without an outcome. */
export const oneOutcome = promise({
  name: "lease/one-outcome",
  why: "A call that gets no answer hangs its agent; one that gets two runs twice.",
  atSight(before, sighting) {
    if (!outcomes.has(sighting.seen) || !("call" in sighting)) return undefined;
    const call = before.calls.get(sighting.call);
    return call !== undefined && isOpen(call)
      ? undefined
      : `${sighting.call} was ${sighting.seen} once it had its outcome`;
  },
  between(view) {
    const [left] = view.open();
    return left && `${left.id} never got an outcome`;
  },
});

export const noGrantToTheDead = promise({
  name: "lease/no-grant-to-the-dead",
  why: "A call that was stopped and runs all the same writes what nobody wants any more.",
  atSight(before, sighting) {
    if (sighting.seen !== "granted" && sighting.seen !== "asked") return undefined;
    const call = before.calls.get(sighting.call);
    if (call === undefined) return undefined;
    // A promise that has settled cannot be taken back: the tool sees its own signal.
    if (sighting.seen === "granted" && sighting.onItsWay === true) return undefined;
    const what = sighting.seen === "granted" ? "was granted" : "was asked for";
    if (call.died) return `${call.id} had been stopped, and ${what}`;
    if (call.stage === "ended") return `${call.id} had ended, and ${what}`;
    return before.closedAtMs.has(call.owner) ? `${call.id} ${what}, and ${call.owner} is closed` : undefined;
  },
});

export const toldAtOnce = promise({
  name: "lease/told-at-once",
  why: "Whoever was stopped, or told no, holds its agent up until it hears of it.",
  between(view) {
    const call = view.open().find((call) => !isClosed(view.closedAtMs, call) && (call.died || call.answer === "no"));
    if (call === undefined) return undefined;
    return `${call.id} was ${call.died ? "aborted" : "denied"}, and has not been told`;
  },
});

export const closeLeavesNothing = promise({
  name: "lease/close-leaves-nothing",
  why: "What an owner leaves behind holds others up, and nobody is there to take it away.",
  atSight(before, sighting) {
    if (sighting.seen === "expired" || sighting.seen === "granted") {
      const call = before.calls.get(sighting.call);
      const stuck = call !== undefined && before.freed.has(call) ? before.stuckInTheWay(call) : undefined;
      return stuck && `${sighting.call} had to wait for ${stuck.id}, which should have been fenced off`;
    }
    if (sighting.seen !== "may-write" || !sighting.may || !before.fencedOff.has(sighting.holder, sighting.fence))
      return undefined;
    return `${sighting.holder} may write ${sighting.path}; its owner is closed, and the stuck limit has passed`;
  },
  between(view) {
    const call = view.open().find((call) => isClosed(view.closedAtMs, call));
    if (call !== undefined) return `${call.id} is still ${call.stage}, and ${call.owner} is closed`;
    for (const waiter of view.pumped()) {
      const stuck = view.stuckInTheWay(waiter);
      if (stuck !== undefined) return `${waiter.id} still waits for ${stuck.id}, which should have been fenced off`;
    }
    return undefined;
  },
});

function isClosed(closedAtMs: ReadonlyMap<string, number>, { owner }: SeenCall): boolean {
  return closedAtMs.has(owner);
}
