/** What stops have to strike. */
import { isPending } from "../fate.ts";
import { isCancel } from "../look-back.ts";
import { isStop, isWake, whenSeen } from "./when-seen.ts";

export const stopInStep = whenSeen(
  "a stop strikes a live step",
  (seen, { live }) =>
    seen.type === "command" && seen.command.type === "cancel" && live.some(({ what }) => what === "run-step"),
);

export const clearStrikes = whenSeen(
  "a clear strikes with something pending",
  (seen, { fates }) => isCancel(seen, false) && fates.some(isPending),
);

export const wakeInConvergence = whenSeen(
  "a wake is sent in the convergence window",
  (seen, { stop }) => isWake(seen) && stop !== null,
);

export const latchRetracted = whenSeen("a latched wake is retracted before convergence", (seen, { fates }) => {
  if (seen.type !== "command" || seen.command.type !== "retract") return false;
  const { id } = seen.command;
  return fates.some((fate) => fate.message.id === id && isPending(fate) && fate.latched === "surely");
});

/** Where nobody tells of giving back, the turn ends with its batch not entered. */
export const batchGivenBack = whenSeen("an open batch is given back", (seen, { fates }) => {
  if (seen.type !== "append") return false;
  const { record } = seen;
  if (record.type === "inbox/restored") return true;
  return (
    record.type === "turn/end" &&
    record.reason.kind === "aborted" &&
    fates.some(({ state, message }) => state === "claimed" && message.wake)
  );
});

export const maintenanceStopped = whenSeen(
  "maintenance is stopped",
  (seen, { live }) => isStop(seen) && live.some(({ what }) => what === "task"),
);

export const disposeInTurn = whenSeen(
  "dispose strikes a live turn",
  (seen, { status, disposed }) =>
    seen.type === "command" && seen.command.type === "dispose" && status === "running" && disposed === null,
);
