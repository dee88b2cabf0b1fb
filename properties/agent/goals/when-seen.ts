/** Goals are looked for like breaches: each observation once, looking back from it. */
import type { Goal } from "../../invariant.ts";
import type { Fate } from "../fate.ts";
import type { History, Observation } from "../history.ts";
import { judgeEach } from "../look-back.ts";
import { type View, viewBefore } from "../view.ts";

/** Is reached where something is seen that fits, given what can be told just before it. */
export function whenSeen(
  name: string,
  reached: (seen: Observation, before: View, history: History) => boolean,
): Goal<History> {
  const find = judgeEach((seen, history) =>
    reached(seen, viewBefore(history, seen.at), history) ? "reached" : undefined,
  );
  return { name, reached: (history) => find(history) !== undefined };
}

export function isWake(seen: Observation): boolean {
  return seen.type === "command" && seen.command.type === "send" && seen.command.message.wake;
}

export function isStop(seen: Observation): boolean {
  return seen.type === "command" && (seen.command.type === "cancel" || seen.command.type === "dispose");
}

/** The fates of the messages that enter where the observation is a step. */
export function entering(seen: Observation, { fates }: View): readonly Fate[] {
  if (seen.type !== "run-step") return [];
  return fates.filter(({ message }) => seen.messages.some(({ id }) => id === message.id));
}
