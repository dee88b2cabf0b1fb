/**
 * What is wrong with an agent before any promise of the contract is judged: a command that was not taken, an answer that
 * never comes, work for the ports of an agent that was disposed of.
 */
import type { Invariant } from "../invariant.ts";
import { isPending } from "./fate.ts";
import { describeObservation, type History, type Observation } from "./history.ts";
import { judgeEach } from "./look-back.ts";
import { inEveryReading } from "./readings.ts";
import { activityCall, isActive, viewBefore } from "./view.ts";

/** Somebody who sends and gets an error knows that it was not taken; but nobody said that it may not be. */
export const threw: Invariant<History> = {
  name: "kit/threw",
  why: "Whoever gives a command has nothing to do with its error: the agent has to take it, or to refuse it by its own rules.",
  violation: judgeEach((seen, history) => {
    if (seen.type !== "settled" || seen.ok) return undefined;
    const asked = history.observations[seen.call];
    if (asked === undefined || !mustBeTaken(asked, seen, history)) return undefined;
    const error = seen.error === undefined ? "" : `: ${seen.error}`;
    return `${describeObservation(asked)} was answered with an error${error}`;
  }),
};

function mustBeTaken(asked: Observation, answer: Observation, history: History): boolean {
  if (asked.type === "when-idle") return true;
  if (asked.type !== "command" || asked.inside === true) return false;
  const { command } = asked;
  const { disposed, fates } = viewBefore(history, answer.at);
  if (disposed !== null && disposed !== asked.at) return false;
  const isKnown = (id: string) =>
    viewBefore(history, asked.at).fates.some(
      (fate) => fate.message.id === id && (isPending(fate) || fate.state === "claimed"),
    );
  switch (command.type) {
    case "send":
      return !isKnown(command.message.id);
    case "retract":
      return fates.some((fate) => fate.message.id === command.id && isPending(fate));
    case "maintain":
      // Refused while busy, and rejected where its task was stopped.
      return false;
    default:
      return true;
  }
}

export const unsettled: Invariant<History> = {
  name: "kit/unsettled",
  why: "Whoever awaits the answer waits for ever; and as long as it is open, nobody can tell whether the command was taken.",
  violation(history) {
    const { observations } = history;
    if (viewBefore(history).live.length > 0) return undefined;
    const answered = new Set(observations.map((seen) => (seen.type === "settled" ? seen.call : -1)));
    // What whenIdle() and dispose() owe is a promise of the contract.
    const open = observations.find(
      (seen) => seen.type === "command" && seen.command.type !== "dispose" && !answered.has(seen.at),
    );
    return open && `${describeObservation(open)} has not settled, and nothing is left to happen`;
  },
};

/** What was decided before a disposal from inside a port call may still be shown after it. */
export const afterDispose: Invariant<History> = inEveryReading({
  name: "kit/after-dispose",
  why: "The ports of an agent that was disposed of are closed: what is asked of them fails in somebody else's hands.",
  violation: judgeEach((seen, history) => {
    const asks = activityCall(seen) !== null || seen.type === "status";
    if (!asks) return undefined;
    const before = viewBefore(history, seen.at);
    const by = before.disposed === null ? undefined : history.observations[before.disposed];
    if (by === undefined || isActive(before) || before.live.length > 0) return undefined;
    const over = history.observations.some((one) => one.type === "settled" && one.call === by.at && one.at < seen.at);
    return over ? `${describeObservation(seen)} after ${describeObservation(by)} was over` : undefined;
  }),
});
