/**
 * What `restore` makes of the log so far, worked out from the state: the log itself would be too long to be a part of it.
 * A test compares both on the logs of random runs.
 *
 * Storage takes records in order, so a crash may lose any end of the log. Losing more than the turn record in flight
 * gives what a crash at an earlier moment gives, and is looked at there.
 */
import type { AgentState } from "../../../core/agent/state.ts";
import { initialState } from "../../../core/agent/transition.ts";
import { type Fate, type Past, untold, type World } from "./world.ts";

export function crashed(world: World, landed: boolean): World {
  const { agent, past, fates, crashesLeft } = world;
  const log = landed ? withRecord(past) : past;
  return {
    agent: restored(agent, log),
    past: { ...untold, logTurn: log.logTurn, logOpen: log.logOpen },
    fates: fates.map(parkedBy),
    crashesLeft: crashesLeft - 1,
  };
}

type LogTurns = Pick<Past, "logTurn" | "logOpen">;

function withRecord({ request, logTurn, logOpen }: Past): LogTurns {
  if (request.kind !== "write") return { logTurn, logOpen };
  return { logTurn: request.record.turn, logOpen: request.record.type === "turn/start" };
}

/** A batch that was claimed but never entered is at the head of its lanes again; a turn that is open is left to be closed. */
export function restored(agent: AgentState, { logTurn, logOpen }: LogTurns): AgentState {
  const batch = agent.phase.kind === "running" ? agent.phase.batch : [];
  return {
    ...initialState,
    nextTurn: [...batch.filter(({ lane }) => lane === "next-turn"), ...agent.nextTurn],
    nextStep: [...batch.filter(({ lane }) => lane === "next-step"), ...agent.nextStep],
    lastTurn: logTurn,
    unwritten: logOpen ? { type: "turn/end", turn: logTurn, reason: { kind: "interrupted" } } : null,
  };
}

function parkedBy(fate: Fate): Fate {
  return fate.place === "batch" ? { ...fate, place: "pending", owed: "no" } : { ...fate, owed: "no" };
}
