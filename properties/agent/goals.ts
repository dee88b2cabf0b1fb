/** What a campaign over a script has to reach. A goal that the script cannot reach is not asked for. */
import type { Goal } from "../invariant.ts";
import { isPending } from "./fate.ts";
import type { History } from "./history.ts";
import { isStatus, judgeEach } from "./look-back.ts";
import { isUserStep, type Script, type ScriptStep } from "./script.ts";
import { viewBefore } from "./view.ts";

export const messageEntersStep: Goal<History> = {
  name: "a message enters a step",
  reached: whenSeen((history, at) => history.observations[at]?.type === "run-step"),
};

export const stopInStep: Goal<History> = {
  name: "a stop strikes a live step",
  reached: whenSeen((history, at) => {
    const seen = history.observations[at];
    const { live } = viewBefore(history, at);
    return seen?.type === "command" && seen.command.type === "cancel" && live.some(({ what }) => what === "run-step");
  }),
};

export const wakeInConvergence: Goal<History> = {
  name: "a wake is sent in the convergence window",
  reached: whenSeen((history, at) => {
    const seen = history.observations[at];
    const isWake = seen?.type === "command" && seen.command.type === "send" && seen.command.message.wake;
    return isWake && viewBefore(history, at).stop !== null;
  }),
};

export const latchReplayed: Goal<History> = {
  name: "a latched wake is replayed",
  reached: whenSeen((history, at) => {
    const seen = history.observations[at];
    return (
      seen !== undefined &&
      isStatus(seen, "running") &&
      viewBefore(history, at).fates.some((fate) => isPending(fate) && fate.latched === "surely")
    );
  }),
};

export const twoTurnsInOneDriver: Goal<History> = {
  name: "a driver runs two turns",
  reached: whenSeen((history, at) => {
    const seen = history.observations[at];
    const starts = seen?.type === "append" && seen.record.type === "turn/start";
    return starts && viewBefore(history, at).closing !== null;
  }),
};

/** Picks the goals that an agent which keeps its promises can reach, going by the order of the commands. */
export function goalsFor(script: Script): readonly Goal<History>[] {
  // What follows these depends on more than the order of the commands.
  const tells = ({ type }: ScriptStep) => type === "dispose" || type === "await" || type === "maintain";
  if (script.some((step) => tells(step) || !isUserStep(step))) return [];
  const firstWake = script.findIndex(isWake);
  if (firstWake < 0) return [];
  const stop = script.findIndex(({ type }, index) => type === "cancel" && index > firstWake);
  const beforeStop = stop < 0 ? script : script.slice(0, stop);
  const twoPrompts = beforeStop.filter((step) => isWake(step) && isPrompt(step)).length > 1;
  return [
    messageEntersStep,
    ...(twoPrompts ? [twoTurnsInOneDriver] : []),
    ...(stop < 0 ? [] : [stopInStep]),
    ...(stop >= 0 && script.slice(stop).some(isWake) ? [wakeInConvergence, latchReplayed] : []),
  ];
}

function isWake(step: ScriptStep): boolean {
  return step.type === "send" && step.message.wake;
}

function isPrompt(step: ScriptStep): boolean {
  return step.type === "send" && step.message.lane === "next-turn";
}

/** Looks at each observation once, and remembers a goal that was reached. */
function whenSeen(reached: (history: History, at: number) => boolean): (history: History) => boolean {
  const find = judgeEach((seen, history) => (reached(history, seen.at) ? "reached" : undefined));
  return (history) => find(history) !== undefined;
}
