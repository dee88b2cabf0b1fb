/** What drivers have to go through, and what has to start them. */
import { isPending } from "../fate.ts";
import type { History, Observation } from "../history.ts";
import { isStatus, lastBefore } from "../look-back.ts";
import { viewBefore } from "../view.ts";
import { isWake, whenSeen } from "./when-seen.ts";

export const latchReplayed = whenSeen(
  "a latched wake is replayed",
  (seen, { fates }) => isStatus(seen, "running") && fates.some((fate) => isPending(fate) && fate.latched === "surely"),
);

export const twoTurnsInOneDriver = whenSeen(
  "a driver runs two turns",
  (seen, { closing }) => seen.type === "append" && seen.record.type === "turn/start" && closing !== null,
);

export const toolsAnswered = whenSeen("a tool step is followed by its answer step", (seen, _before, history) => {
  if (seen.type !== "run-step") return false;
  const last = lastBefore(history, seen.at, (one) => one.type === "settled" && one.outcome !== undefined);
  const asked = last?.type === "settled" ? history.observations[last.call] : undefined;
  return (
    last?.type === "settled" && last.outcome === "continue" && asked?.type === "run-step" && asked.turn === seen.turn
  );
});

export const wakeAfterMaintenance = whenSeen(
  "a wake during maintenance runs after it",
  (seen, { fates }, history) =>
    isStatus(seen, "running") &&
    fates.some((fate) => isPending(fate) && fate.message.wake && isInTask(fate.sent, history)),
);

function isInTask(at: number, history: History): boolean {
  return viewBefore(history, at).live.some(({ what }) => what === "task");
}

export const recordWrittenAgain = whenSeen("a refused turn record is written again", (seen, _before, history) => {
  if (seen.type !== "append") return false;
  const { record } = seen;
  if (record.type !== "turn/start" && record.type !== "turn/end") return false;
  const isSame = (one: Observation | undefined) =>
    one?.type === "append" &&
    one.record.type === record.type &&
    "turn" in one.record &&
    one.record.turn === record.turn;
  return (
    lastBefore(
      history,
      seen.at,
      (one) => one.type === "settled" && !one.ok && isSame(history.observations[one.call]),
    ) !== null
  );
});

export const emptyTurn = whenSeen(
  "a turn opens empty because its message was taken back",
  (seen, { fates, since }, history) => {
    if (seen.type !== "append" || seen.record.type !== "turn/end" || since === null) return false;
    const { turn, reason } = seen.record;
    if (reason.kind !== "completed") return false;
    const asksForSome = (one: Observation) =>
      (one.type === "run-step" || (one.type === "propose" && one.messages.length > 0)) && one.turn === turn;
    if (lastBefore(history, seen.at, asksForSome) !== null) return false;
    return fates.some(({ message, state }) => state === "gone" && message.wake && isRetracted(message.id, history));
  },
);

function isRetracted(id: string, { observations }: History): boolean {
  return observations.some(
    (seen) => seen.type === "command" && seen.command.type === "retract" && seen.command.id === id,
  );
}

export const startedFromInside = whenSeen(
  "a command from inside a port call starts something",
  (seen, _before, history) => {
    if (!isStatus(seen, "running") && seen.type !== "task") return false;
    const last = lastBefore(history, seen.at, (one) => one.type === "command");
    if (last?.type !== "command" || !last.inside) return false;
    return seen.type === "task" ? last.command.type === "maintain" : isWake(last);
  },
);
