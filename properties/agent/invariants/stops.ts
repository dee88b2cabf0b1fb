/** What a stop does, and what it leaves alone. */
import type { Invariant } from "../../invariant.ts";
import { isPending } from "../fate.ts";
import { describeObservation, type History, type Observation } from "../history.ts";
import { isCancel, isStatus, judgeEach, lastBefore, messagesOf, wokenBetween } from "../look-back.ts";
import { isActive, type View, viewBefore } from "../view.ts";

export const parkedStaysParked: Invariant<History> = {
  name: "agent/parked-stays-parked",
  why: "Somebody who stops an agent wants it to stay stopped; work that starts again by itself is the runaway they feared.",
  violation: judgeEach((seen, history) => {
    const starts = isStatus(seen, "running");
    if (!starts && messagesOf(seen).length === 0) return undefined;
    const stop = lastBefore(history, seen.at, (one) => isCancel(one, true));
    if (stop === null || wokenBetween(history, stop.at, seen.at)) return undefined;
    const atStop = viewBefore(history, stop.at);
    if (!parksAll(atStop, history)) return undefined;
    if (starts)
      return `${describeObservation(seen)} although nothing woke the agent since ${describeObservation(stop)}`;
    const isParked = (id: string) => atStop.fates.some((fate) => fate.message.id === id && isPending(fate));
    const parked = messagesOf(seen).find(({ id }) => isParked(id));
    return parked && `${describeObservation(seen)} runs ${parked.id}, parked by ${describeObservation(stop)}`;
  }),
};

/** A latched wake is still to be replayed after the stop; so is one that woke an agent which starts a little later. */
function parksAll(view: View, { policy }: History): boolean {
  const { fates } = view;
  if (!isActive(view) && fates.some(({ state }) => state === "due")) return false;
  if (fates.some(({ answered }) => answered === null)) return false;
  return policy.parking === "all" || !fates.some((fate) => isPending(fate) && fate.latched !== "no");
}

export const clearedStaysCleared: Invariant<History> = {
  name: "agent/cleared-stays-cleared",
  why: "A prompt that was taken back and runs all the same does what its author no longer wants.",
  violation: judgeEach((seen, history) => {
    if (isStatus(seen, "running")) return startedByCleared(seen, history);
    for (const { id } of messagesOf(seen)) {
      const clear = lastBefore(history, seen.at, (one) => isCancel(one, false) && clears(one, id, history));
      if (clear !== null) return `${describeObservation(seen)} runs ${id}, cleared by ${describeObservation(clear)}`;
    }
    return undefined;
  }),
};

function clears(cancel: Observation, id: string, history: History): boolean {
  return viewBefore(history, cancel.at).fates.some(
    (fate) => fate.message.id === id && fate.answered !== null && (isPending(fate) || fate.state === "claimed"),
  );
}

function startedByCleared(seen: Observation, history: History): string | undefined {
  const clear = lastBefore(history, seen.at, (one) => isCancel(one, false));
  if (clear === null || wokenBetween(history, clear.at, seen.at)) return undefined;
  const atClear = viewBefore(history, clear.at);
  // Woken at idle, cleared before it got going: the turn is opened and stays empty.
  if (!isActive(atClear) && atClear.fates.some(({ state }) => state === "due")) return undefined;
  return `${describeObservation(seen)} although nothing woke the agent since ${describeObservation(clear)}`;
}

export const cancelBites: Invariant<History> = {
  name: "agent/cancel-bites",
  why: "After a stop no further model call may be paid for and no further tool may touch anything.",
  violation: judgeEach((seen, history) => {
    if (seen.type !== "propose" && seen.type !== "run-step") return undefined;
    const { status, stop } = viewBefore(history, seen.at);
    const by = stop === null ? undefined : history.observations[stop];
    return status === "idle" || by === undefined
      ? undefined
      : `${describeObservation(seen)} after ${describeObservation(by)}, with no idle between the two`;
  }),
};

export const idleCancelArmsNothing: Invariant<History> = {
  name: "agent/idle-cancel-arms-nothing",
  why: "A stop that comes when there is nothing to stop must not strike down the next prompt.",
  violation: judgeEach((seen, history) => {
    const running = lastBefore(history, seen.at, (one) => isStatus(one, "running"));
    // Other signals than a turn's own are nobody's promise; a task's signal is not watched.
    if (!endsAsAborted(seen, running?.at ?? 0, history) && seen.type !== "aborted") return undefined;
    const idle = lastBefore(history, running?.at ?? 0, (one) => isStatus(one, "idle"));
    // An agent may show its status a little after the wake that started it: a stop in between is meant for that driver.
    const woken = viewBefore(history, seen.at).fates.find(
      ({ message, sent }) => message.wake && sent > (idle?.at ?? -1),
    );
    const from = Math.min(running?.at ?? seen.at, woken?.sent ?? seen.at);
    const stop = lastBefore(history, seen.at, isStop);
    if (stop !== null && stop.at > from) return undefined;
    return `${describeObservation(seen)}, and ${stop === null ? "nothing was stopped" : `the last stop was ${describeObservation(stop)}, before this activity`}`;
  }),
};

/** A record of an older turn, refused by storage before, says what happened then. */
function endsAsAborted(seen: Observation, since: number, history: History): boolean {
  if (seen.type !== "append" || seen.record.type !== "turn/end" || seen.record.reason.kind !== "aborted") return false;
  const { turn } = seen.record;
  const start = lastBefore(
    history,
    seen.at,
    (one) => one.type === "append" && one.record.type === "turn/start" && one.record.turn === turn,
  );
  return start === null || start.at > since;
}

function isStop(seen: Observation): boolean {
  return seen.type === "command" && (seen.command.type === "cancel" || seen.command.type === "dispose");
}

export const disposeFence: Invariant<History> = {
  name: "agent/dispose-fence",
  why: "Whoever disposes of an agent takes its storage and its tools away; what starts later fails in somebody else's hands.",
  violation: judgeEach((seen, history) => {
    const { disposed } = viewBefore(history, seen.at);
    const by = disposed === null ? undefined : history.observations[disposed];
    if (by === undefined || !startsSomething(seen, by, history)) return undefined;
    return `${describeObservation(seen)} after ${describeObservation(by)}`;
  }),
};

function startsSomething(seen: Observation, dispose: Observation, history: History): boolean {
  if (seen.type === "append" && seen.record.type === "turn/start") {
    // A turn/start that was decided before may still be on its way to storage behind a note, with nothing else in flight.
    const { status, live } = viewBefore(history, dispose.at);
    return status === "idle" || live.length > 0;
  }
  return isStatus(seen, "running") || seen.type === "propose" || seen.type === "run-step" || seen.type === "task";
}

export const disposeEnds: Invariant<History> = {
  name: "agent/dispose-fence",
  why: "A disposal that is never over keeps the process alive.",
  violation(history) {
    const now = viewBefore(history);
    if (now.disposed === null) return undefined;
    if (isActive(now)) return "the agent was disposed of and is still active, with nothing left to happen";
    const answered = history.observations.some((seen) => seen.type === "settled" && seen.call === now.disposed);
    return answered ? undefined : "dispose() has not settled, and nothing is left to happen";
  },
};
