/** The shape of both reducers' states. Turns and reservations are as many as the bounds allow. */
import type { GoalState } from "../../../../core/agent/goal.ts";
import { integer, list, oneOf, option, optional, record, type Schema, variants } from "../../../../sim/model/schema.ts";
import { agentShapes } from "../schema.ts";
import { idOf } from "../world.ts";
import { type GoalBounds, type GoalWorld, goalName, type Waiting } from "./world.ts";

export function goalWorldSchema(bounds: GoalBounds): Schema<GoalWorld> {
  const { sends, writeFaults, arms, steps, roundLimit } = bounds;
  // Each arm leads to a reservation at most, and so does each completed round.
  const serials = arms + roundLimit + arms;
  const own = Array.from({ length: serials }, (_, index) => `${goalName} ${index + 1}`);
  const ids = [...Array.from({ length: sends }, (_, index) => idOf(index)), ...own];
  // Each driver is started by a wake, and a record that was refused is written again by the next one.
  const turns = sends + serials + writeFaults + 1;
  const { turn, reason, agent } = agentShapes({
    ids,
    inbox: sends + 2,
    step: steps + sends + 1,
    turn: turns,
    activities: ["none"],
  });
  const goal: Schema<GoalState> = record({
    name: oneOf(goalName),
    roundLimit: integer(roundLimit, roundLimit),
    mode: oneOf("disarmed", "armed", "paused"),
    reservation: option(oneOf(...own)),
    turn: option(turn),
    rounds: integer(0, roundLimit + arms),
    serial: integer(0, serials),
  });
  const waiting: Schema<Waiting> = variants("type", {
    "turn/start": { turn },
    "turn/end": { turn, reason: reason },
    "inbox/removed": { id: oneOf(...own), outcome: oneOf("claimed", "blocked", "canceled"), turn: optional(turn) },
  });
  return record({
    agent,
    goal,
    storage: list(waiting, 6),
    ownTurn: turn,
    sent: integer(0, sends),
    armsLeft: integer(0, arms),
  });
}
