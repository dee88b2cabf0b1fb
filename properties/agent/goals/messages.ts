/** Where messages have to get to. */
import { isPending } from "../fate.ts";
import { isActive, viewBefore } from "../view.ts";
import { entering, isWake, whenSeen } from "./when-seen.ts";

export const messageEntersStep = whenSeen("a message enters a step", ({ type }) => type === "run-step");

export const wakeInClosing = whenSeen(
  "a wake is sent in closing",
  (seen, { live, stop }) => isWake(seen) && stop === null && live.some(({ what }) => what === "turn/end"),
);

/** Later steps of a turn claim no prompts, so what wakes and enters one was steering. */
export const steeringJoins = whenSeen(
  "steering joins the running turn",
  (seen, before) =>
    seen.type === "run-step" && seen.step > 1 && entering(seen, before).some(({ message }) => message.wake),
);

export const lateSteeringQueues = whenSeen("late steering becomes a prompt", (seen, before) =>
  entering(seen, before).some(
    ({ message, lane, late }) => late && message.lane === "next-step" && lane === "next-turn",
  ),
);

export const contextWaits = whenSeen("context waits for the next claim", (seen, before, history) =>
  entering(seen, before).some(
    ({ message, sent }) =>
      !message.wake && message.lane === "next-step" && !isActive(viewBefore(history, sent)) && seen.at > sent,
  ),
);

export const failedTurnParks = whenSeen(
  "a turn fails while a wake is pending",
  (seen, { fates }) =>
    seen.type === "append" &&
    seen.record.type === "turn/end" &&
    seen.record.reason.kind === "failed" &&
    fates.some((fate) => fate.message.wake && isPending(fate)),
);
