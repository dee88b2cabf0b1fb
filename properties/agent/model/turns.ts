/**
 * Turn numbers, counted from the last turn but one: the reducer only compares them and adds one, so what happens after
 * turn 7 is what happens after turn 1. Without this no run would ever come back to a state, and none could be endless.
 */
import type { AgentState, TurnRecord } from "../../../core/agent/state.ts";
import type { Request, World } from "./world.ts";

export function countedAnew(world: World): World {
  const by = world.agent.lastTurn - 1;
  if (by <= 0) return world;
  const { past } = world;
  return {
    ...world,
    agent: shiftAgent(world.agent, by),
    past: { ...past, request: shiftRequest(past.request, by), logTurn: past.logTurn - by },
  };
}

function shiftAgent(agent: AgentState, by: number): AgentState {
  const { phase, unwritten } = agent;
  return {
    ...agent,
    phase: phase.kind === "running" ? { ...phase, turn: phase.turn - by } : phase,
    lastTurn: agent.lastTurn - by,
    unwritten: unwritten === null ? null : shiftRecord(unwritten, by),
  };
}

function shiftRequest(request: Request, by: number): Request {
  switch (request.kind) {
    case "write":
      return { kind: "write", record: shiftRecord(request.record, by) };
    case "propose":
    case "step":
      return { ...request, turn: request.turn - by };
    default:
      return request;
  }
}

function shiftRecord(record: TurnRecord, by: number): TurnRecord {
  return { ...record, turn: record.turn - by };
}
