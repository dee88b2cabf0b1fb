/**
 * Ways to read a history backwards from one observation. Invariants are written as "when this is seen, look back": then
 * each observation is judged once, however often the history is checked while it grows.
 */
import type { Message } from "../../core/agent/state.ts";
import type { Fate } from "./fate.ts";
import type { History, Observation } from "./history.ts";
import { viewBefore } from "./view.ts";

/** How far a history was judged. */
type Judged = { next: number; found: string | undefined };

/** Judges every observation once, in order; the first violation found stays. */
export function judgeEach(
  judge: (seen: Observation, history: History) => string | undefined,
): (history: History) => string | undefined {
  const known = new WeakMap<History, Judged>();
  let reading: History | null = null;
  let judged: Judged = { next: 0, found: undefined };
  return (history) => {
    if (history !== reading) {
      reading = history;
      judged = known.get(history) ?? { next: 0, found: undefined };
      known.set(history, judged);
    }
    while (judged.found === undefined) {
      const seen = history.observations[judged.next];
      if (seen === undefined) break;
      judged.next++;
      judged.found = judge(seen, history);
    }
    return judged.found;
  };
}

/** Finds the newest observation before `at` that fits; null when there is none. */
export function lastBefore(
  { observations }: History,
  at: number,
  fits: (seen: Observation) => boolean,
): Observation | null {
  for (let index = Math.min(at, observations.length) - 1; index >= 0; index--) {
    const seen = observations[index];
    if (seen !== undefined && fits(seen)) return seen;
  }
  return null;
}

/** Tells whether a waking message may have been accepted after `from` and before `until`. */
export function wokenBetween(history: History, from: number, until: number): boolean {
  return viewBefore(history, until).fates.some(
    (fate) => fate.message.wake && (fate.answered === null || fate.answered > from),
  );
}

/** Tells whether `earlier` was certainly accepted before `later`; calls that overlap may have been taken either way. */
export function acceptedBefore(earlier: Fate, later: Fate): boolean {
  return earlier.answered !== null && earlier.answered < later.sent;
}

/** Names what the agent is asked to put into a step, where the observation is one that does. */
export function messagesOf(seen: Observation): readonly Message[] {
  return seen.type === "propose" || seen.type === "run-step" ? seen.messages : [];
}

export function isCancel(seen: Observation, keepInbox: boolean): boolean {
  return seen.type === "command" && seen.command.type === "cancel" && seen.command.keepInbox === keepInbox;
}

export function isStatus(seen: Observation, status: "idle" | "running"): boolean {
  return seen.type === "status" && seen.status === status;
}

/** Tells whether the agent rightly waits for a model or a hook that has not answered: nobody has stopped it, or told it. */
export function waitsForOutside(history: History): boolean {
  const { status, live, stop } = viewBefore(history);
  if (status === "idle" || stop !== null) return false;
  const isAborted = (call: number) =>
    history.observations.some((seen) => seen.type === "aborted" && seen.call === call);
  return live.some(({ what, call }) => (what === "run-step" || what === "propose") && !isAborted(call));
}
