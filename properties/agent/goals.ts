/** What a campaign has to reach, or its pass means nothing. Each goal is seen from outside, by what the agent shows. */
import type { Goal } from "../invariant.ts";
import {
  contextWaits,
  failedTurnParks,
  lateSteeringQueues,
  messageEntersStep,
  steeringJoins,
  wakeInClosing,
} from "./goals/messages.ts";
import {
  batchGivenBack,
  clearStrikes,
  disposeInTurn,
  latchRetracted,
  maintenanceStopped,
  stopInStep,
  wakeInConvergence,
} from "./goals/stops.ts";
import {
  emptyTurn,
  latchReplayed,
  recordWrittenAgain,
  startedFromInside,
  toolsAnswered,
  twoTurnsInOneDriver,
  wakeAfterMaintenance,
} from "./goals/turns.ts";
import type { History } from "./history.ts";
import { isUserStep, type Script, type ScriptStep } from "./script.ts";
import type { Word } from "./words.ts";

export type AgentGoal = {
  readonly goal: Goal<History>;
  /** Where one of these is missing, nobody can be asked to reach it. */
  readonly needs: readonly Word[];
  /** A port that may be left uncalled: an agent that never calls it cannot be asked to reach the goal either. */
  readonly asks?: "propose";
};

/** What a check of a whole agent, over many scripts, has to reach. */
export const agentGoals: readonly AgentGoal[] = [
  { goal: messageEntersStep, needs: [] },
  { goal: twoTurnsInOneDriver, needs: [] },
  { goal: wakeInClosing, needs: [] },
  { goal: toolsAnswered, needs: [] },
  { goal: failedTurnParks, needs: [] },
  { goal: startedFromInside, needs: [] },
  { goal: steeringJoins, needs: ["next-step"] },
  { goal: lateSteeringQueues, needs: ["next-step"] },
  { goal: contextWaits, needs: ["next-step", "inject"] },
  { goal: stopInStep, needs: ["cancel-keep"] },
  { goal: wakeInConvergence, needs: ["cancel-keep"] },
  { goal: latchReplayed, needs: ["cancel-keep"] },
  { goal: latchRetracted, needs: ["cancel-keep", "retract"] },
  { goal: batchGivenBack, needs: ["cancel-keep"], asks: "propose" },
  { goal: clearStrikes, needs: ["cancel-clear"] },
  { goal: emptyTurn, needs: ["retract"] },
  { goal: maintenanceStopped, needs: ["maintenance", "cancel-keep"] },
  { goal: wakeAfterMaintenance, needs: ["maintenance"] },
  { goal: disposeInTurn, needs: ["dispose"] },
  { goal: recordWrittenAgain, needs: ["write-faults"] },
];

/** Picks the goals that an agent which keeps its promises can reach, going by the order of the commands. */
export function goalsFor(script: Script): readonly Goal<History>[] {
  // What follows these depends on more than the order of the commands.
  const tells = ({ type }: ScriptStep) => type === "dispose" || type === "await" || type === "maintain";
  if (script.some((step) => tells(step) || step.type === "inside" || !isUserStep(step))) return [];
  const firstWake = script.findIndex(isWakeStep);
  if (firstWake < 0) return [];
  const stop = script.findIndex(({ type }, index) => type === "cancel" && index > firstWake);
  const beforeStop = stop < 0 ? script : script.slice(0, stop);
  const twoPrompts = beforeStop.filter((step) => isWakeStep(step) && isPrompt(step)).length > 1;
  return [
    messageEntersStep,
    ...(twoPrompts ? [twoTurnsInOneDriver] : []),
    ...(stop < 0 ? [] : [stopInStep]),
    ...(stop >= 0 && script.slice(stop).some(isWakeStep) ? [wakeInConvergence, latchReplayed] : []),
  ];
}

function isWakeStep(step: ScriptStep): boolean {
  return step.type === "send" && step.message.wake;
}

function isPrompt(step: ScriptStep): boolean {
  return step.type === "send" && step.message.lane === "next-turn";
}
