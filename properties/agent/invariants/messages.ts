/** What must be true of each message: where it may end up, in which order, and with whom. */
import type { Invariant } from "../../invariant.ts";
import { type Fate, isPending } from "../fate.ts";
import { describeObservation, type History, type Observation } from "../history.ts";
import { acceptedBefore, isStatus, judgeEach, lastBefore, messagesOf, waitsForOutside } from "../look-back.ts";
import { viewBefore } from "../view.ts";

export const noDroppedWake: Invariant<History> = {
  name: "agent/no-dropped-wake",
  why: "A wake is lost only to something that happened after it. One that is merely forgotten lies there until somebody sends another.",
  violation(history) {
    const lost = viewBefore(history).fates.find(({ state }) => state === "due");
    // A driver that lives comes to look at its inbox once more.
    if (lost === undefined || waitsForOutside(history)) return undefined;
    const when = viewBefore(history, lost.sent);
    const during = when.stop === null ? `while the agent was ${when.status}` : "while a stopped turn was converging";
    return `message ${lost.message.id} was sent ${during}; it was never claimed, and nothing after it parked, retracted or cleared it`;
  },
};

export const atMostOnce: Invariant<History> = {
  name: "agent/at-most-once",
  why: "A prompt that runs twice does its work twice.",
  violation: judgeEach((seen, history) => {
    if (seen.type === "run-step") {
      for (const { id } of seen.messages) {
        const other = lastBefore(
          history,
          seen.at,
          (one) => (one.type === "run-step" && enters(one, id)) || givesUp(one, id),
        );
        if (other !== null) return `${describeObservation(seen)} runs ${id} after ${describeObservation(other)}`;
      }
      return undefined;
    }
    for (const { message, state } of viewBefore(history, seen.at).fates) {
      const { id } = message;
      if (state === "entered" && (givesUp(seen, id) || restores(seen, id)))
        return `${describeObservation(seen)}, but ${id} has entered a step`;
    }
    return undefined;
  }),
};

function enters(seen: Observation, id: string): boolean {
  return messagesOf(seen).some((message) => message.id === id);
}

function givesUp(seen: Observation, id: string): boolean {
  if (seen.type === "removed") return seen.id === id && seen.outcome !== "claimed";
  if (seen.type !== "append" || seen.record.type !== "inbox/removed") return false;
  return seen.record.id === id && seen.record.outcome !== "claimed";
}

function restores(seen: Observation, id: string): boolean {
  return (
    seen.type === "append" && seen.record.type === "inbox/restored" && seen.record.messages.some((one) => one.id === id)
  );
}

export const laneOrder: Invariant<History> = {
  name: "agent/lane-order",
  why: '"Do this, then that" means something else the other way round.',
  violation: judgeEach((seen, history) => {
    if (seen.type !== "run-step") return undefined;
    const { fates } = viewBefore(history, seen.at);
    const entered = fates.filter(({ state }) => state === "entered");
    for (const { id } of seen.messages) {
      const fate = fates.find(({ message }) => message.id === id);
      if (fate === undefined) continue;
      const overtaker = entered.find((other) => sameLane(fate, other) && acceptedBefore(fate, other));
      if (overtaker !== undefined)
        return `${describeObservation(seen)}: ${id} enters after ${overtaker.message.id}, which was accepted later`;
      entered.push(fate);
    }
    return undefined;
  }),
};

function sameLane(one: Fate, other: Fate): boolean {
  return one.lane === other.lane && one.lane !== "unclear";
}

export const lateSteerQueues: Invariant<History> = {
  name: "agent/late-steer-queues",
  why: "Steering that comes too late for its turn would change the meaning of a prompt that it was never meant for.",
  violation: judgeEach((seen, history) => {
    if (seen.type !== "run-step" || history.policy.claim !== "one") return undefined;
    const inTurn = viewBefore(history, seen.at + 1).fates.filter(
      ({ state, turn }) => state === "entered" && turn === seen.turn,
    );
    for (const late of inTurn) {
      if (!late.late) continue;
      const prompt = inTurn.find((other) => other.lane === "next-turn" && acceptedBefore(other, late));
      if (prompt !== undefined)
        return `${describeObservation(seen)}: ${late.message.id}, accepted late, shares turn ${seen.turn} with ${prompt.message.id}`;
    }
    return undefined;
  }),
};

export const contextNeverWakes: Invariant<History> = {
  name: "agent/context-never-wakes",
  why: "Context is injected by machines, by the hundred; if each one bought a model call, nobody could afford it.",
  violation: judgeEach((seen, history) => {
    if (isStatus(seen, "running")) {
      const idle = lastBefore(history, seen.at, (one) => isStatus(one, "idle"));
      return wants(history, idle?.at ?? 0, seen.at, ({ message }) => message.wake)
        ? undefined
        : `${describeObservation(seen)} with no waking message`;
    }
    if (seen.type === "append" && seen.record.type === "turn/start") return openedByContext(seen, history);
    return addedByContext(seen, history);
  }),
};

/** The first turn of a driver is owed to what started it; for a later one the boundary must have found a reason. */
function openedByContext(seen: Observation, history: History): string | undefined {
  const { since } = viewBefore(history, seen.at);
  const before = lastBefore(history, seen.at, (one) => one.type === "append" && one.record.type === "turn/start");
  const end = lastBefore(history, seen.at, (one) => one.type === "append" && one.record.type === "turn/end");
  if (before === null || end === null || since === null || before.at < since) return undefined;
  const reason = wants(history, end.at, seen.at, ({ message, lane }) => message.wake || lane !== "next-step");
  return reason
    ? undefined
    : `${describeObservation(seen)} with nothing but context pending since ${describeObservation(end)}`;
}

function addedByContext(seen: Observation, history: History): string | undefined {
  if ((seen.type !== "propose" && seen.type !== "run-step") || seen.step === 1) return undefined;
  if (seen.messages.some(({ wake }) => wake)) return undefined;
  const before = lastBefore(history, seen.at, (one) => one.type === "settled" && one.outcome !== undefined);
  if (before?.type !== "settled" || before.outcome === "continue") return undefined;
  // Where the step was proposed, the proposal tells what was claimed; its answer may leave the waking message out.
  const proposed = lastBefore(
    history,
    seen.at,
    (one) => one.type === "propose" && one.turn === seen.turn && one.step === seen.step,
  );
  return proposed !== null && seen.type === "run-step"
    ? undefined
    : `${describeObservation(seen)} adds a step after ${describeObservation(before)}`;
}

/** Something that fits was pending at `from` (or claimed and perhaps given back), or was sent since. */
function wants(history: History, from: number, until: number, fits: (fate: Fate) => boolean): boolean {
  const then = viewBefore(history, from).fates;
  if (then.some((fate) => (isPending(fate) || fate.state === "claimed") && fits(fate))) return true;
  return viewBefore(history, until).fates.some(
    (fate) => (fate.answered === null || fate.answered >= from) && fits(fate),
  );
}
