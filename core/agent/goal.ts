import { assertNever } from "../assert.ts";
import type { TurnEndReason } from "./state.ts";

/**
 * The rounds of a goal: turns that nobody prompts, one after the other, until something ends them. Armed, it reserves
 * the next round whenever the agent becomes idle, by a follow-up with an id of its own. All it knows about a round it
 * knows by that id, so a human turn is never counted. It leans on `agent/idle-wake-opens-turn`: without an idle edge
 * for every accepted wake it would wait for ever.
 */
export type GoalState = {
  /** The first half of every id; two goals of one agent need two names. */
  readonly name: string;
  readonly roundLimit: number;
  readonly mode: "disarmed" | "armed" | "paused";
  /** The message of the round that is reserved or running. */
  readonly reservation: string | null;
  /** The turn that claimed the reservation. */
  readonly turn: number | null;
  /** Rounds that were completed. */
  readonly rounds: number;
  /** Numbers the reservations, so that no late record of one is taken for another's. */
  readonly serial: number;
  /** Reservations given up while a turn may still give them back; they are retracted at the next idle. */
  readonly abandoned: readonly string[];
};

/** `queued`: ids of the pending messages that want a turn. */
export type GoalInput =
  | { readonly type: "arm"; readonly idle: boolean; readonly queued: readonly string[] }
  | { readonly type: "disarm" }
  | { readonly type: "idle"; readonly queued: readonly string[] }
  /** A stop reached the agent, whoever's turn it was. */
  | { readonly type: "stopped" }
  /** The reservation was not accepted. */
  | { readonly type: "refused" }
  | { readonly type: "claimed"; readonly id: string; readonly turn: number }
  /** Canceled or blocked. */
  | { readonly type: "removed"; readonly id: string }
  | { readonly type: "ended"; readonly turn: number; readonly reason: TurnEndReason };

export type GoalEffect =
  | { readonly type: "reserve"; readonly id: string; readonly round: number }
  | { readonly type: "retract"; readonly id: string };

export type GoalStep = { readonly state: GoalState; readonly effects: readonly GoalEffect[] };

export function initialGoal(name: string, roundLimit: number): GoalState {
  return {
    name,
    roundLimit,
    mode: "disarmed",
    reservation: null,
    turn: null,
    rounds: 0,
    serial: 0,
    abandoned: [],
  };
}

/** Moves the goal by one input. */
export function stepGoal(state: GoalState, input: GoalInput): GoalStep {
  const armed = state.mode === "armed";
  switch (input.type) {
    case "arm": {
      const next: GoalState = armed ? state : { ...state, mode: "armed" };
      // At idle no edge is to come, so the first round is reserved here.
      return input.idle && next.reservation === null ? atIdle(next, input.queued) : unchanged(next);
    }
    case "disarm":
      return giveUp(state, "disarmed");
    case "idle":
      // Whatever became of a reservation that is still open here, it was not a completed round.
      return armed && state.reservation !== null
        ? atIdle(giveUp(state, "paused").state, [])
        : atIdle(state, input.queued);
    case "stopped":
      return armed ? giveUp(state, "paused") : unchanged(state);
    case "refused":
      return unchanged({ ...state, mode: "paused", reservation: null });
    case "claimed":
      return unchanged(input.id === state.reservation ? { ...state, turn: input.turn } : state);
    case "removed":
      return input.id === state.reservation ? giveUp(state, "paused") : unchanged(state);
    case "ended":
      return input.turn === state.turn ? ended(state, input.reason) : unchanged(state);
    default:
      return assertNever(input);
  }
}

function ended(state: GoalState, reason: TurnEndReason): GoalStep {
  switch (reason.kind) {
    case "completed": {
      const rounds = state.rounds + 1;
      const mode = rounds < state.roundLimit ? state.mode : "disarmed";
      return unchanged({ ...state, mode, reservation: null, turn: null, rounds });
    }
    case "failed":
    case "max-tokens":
      return giveUp(state, "disarmed");
    case "aborted":
    case "blocked":
    case "interrupted":
      return giveUp(state, "paused");
    default:
      return assertNever(reason);
  }
}

/** Clears away what was given up, then reserves the next round unless somebody else is waiting for a turn. */
function atIdle(state: GoalState, queued: readonly string[]): GoalStep {
  const effects: GoalEffect[] = state.abandoned.map(retract);
  const clean: GoalState = { ...state, abandoned: [] };
  if (state.mode !== "armed" || queued.some((id) => !state.abandoned.includes(id))) return { state: clean, effects };
  const serial = state.serial + 1;
  const id = `${state.name} ${serial}`;
  effects.push({ type: "reserve", id, round: state.rounds + 1 });
  return { state: { ...clean, reservation: id, turn: null, serial }, effects };
}

/** Lets go of the reservation, so that nothing of a goal at rest is run by somebody else's wake. */
function giveUp(state: GoalState, mode: "disarmed" | "paused"): GoalStep {
  const given = state.reservation === null ? [] : [state.reservation];
  return {
    state: { ...state, mode, reservation: null, turn: null, abandoned: [...state.abandoned, ...given] },
    effects: given.map(retract),
  };
}

function retract(id: string): GoalEffect {
  return { type: "retract", id };
}

function unchanged(state: GoalState): GoalStep {
  return { state, effects: [] };
}
