/** What observers are told, and whether it is true. */
import type { Invariant } from "../../invariant.ts";
import { describeObservation, type History, type Observation } from "../history.ts";
import { isStatus, judgeEach, lastBefore, waitsForOutside, wokenBetween } from "../look-back.ts";
import { activityCall, viewBefore } from "../view.ts";

export const statusAlternates: Invariant<History> = {
  name: "agent/status-alternates",
  why: "A spinner that misses an edge turns for ever, and a driver of rounds counts on every edge.",
  violation: judgeEach((seen, history) => {
    const { status, live } = viewBefore(history, seen.at);
    const what = activityCall(seen);
    if (what !== null && what !== "task" && status === "idle")
      return `${describeObservation(seen)} while the status is idle`;
    if (seen.type !== "status") return undefined;
    if (seen.status === status) return `status ${status} is followed by ${describeObservation(seen)}`;
    const driving = live.find((one) => one.what !== "task");
    const call = driving === undefined ? undefined : history.observations[driving.call];
    return call === undefined
      ? undefined
      : `${describeObservation(seen)} while ${describeObservation(call)} is in flight`;
  }),
};

export const idleIsTrue: Invariant<History> = {
  name: "agent/idle-is-true",
  why: "Callers of whenIdle() go on to close files, take snapshots and exit; a turn that starts afterwards runs into that.",
  // Judged at both ends: when a wait is over, and when a driver starts that nobody woke, because then the last idle was
  // a lie, and so was every answer that relied on it.
  violation: judgeEach((seen, history) => {
    if (isAnswerOfWait(seen, history)) return falseIdle(seen, seen.at, history);
    if (!isStatus(seen, "running")) return undefined;
    const idle = lastBefore(history, seen.at, (one) => isStatus(one, "idle"));
    for (const answer of history.observations.slice(idle?.at ?? 0, seen.at)) {
      if (!isAnswerOfWait(answer, history)) continue;
      const found = falseIdle(answer, seen.at + 1, history);
      if (found !== undefined) return found;
    }
    return undefined;
  }),
};

export const everyWaitEnds: Invariant<History> = {
  name: "agent/idle-is-true",
  why: "A whenIdle() that never settles hangs its caller, mostly at shutdown.",
  violation(history) {
    const answered = new Set(history.observations.map((seen) => (seen.type === "settled" ? seen.call : -1)));
    const open = history.observations.find((seen) => seen.type === "when-idle" && !answered.has(seen.at));
    return open === undefined || waitsForOutside(history)
      ? undefined
      : `${describeObservation(open)} has not settled, and nothing is left to happen`;
  },
};

function isAnswerOfWait(seen: Observation, { observations }: History): boolean {
  return seen.type === "settled" && observations[seen.call]?.type === "when-idle";
}

/** An answer is true if the agent was idle at any moment between the call and the answer. `until` is what is known. */
function falseIdle(answer: Observation, until: number, history: History): string | undefined {
  if (answer.type !== "settled") return undefined;
  for (let at = answer.call; at <= answer.at; at++) if (isIdleAt(at, until, history)) return undefined;
  return `whenIdle() of #${answer.call} settled at #${answer.at}, but the agent was never at rest in between`;
}

function isIdleAt(at: number, until: number, history: History): boolean {
  const { status, live } = viewBefore(history, at);
  if (status === "running" || live.length > 0) return false;
  const next = history.observations.slice(at, until).find((seen) => isStatus(seen, "running"));
  return next === undefined || wokenBetween(history, at - 1, next.at);
}
