import type { AgentRecord, TurnEndReason } from "./state.ts";

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
};

/** `queued`: ids of the pending messages that want a turn. Of the agent's records, those about its own rounds count. */
export type GoalInput =
  | { readonly type: "arm"; readonly idle: boolean; readonly queued: readonly string[] }
  | { readonly type: "disarm" }
  | { readonly type: "idle"; readonly queued: readonly string[] }
  /** A stop reached the agent, whoever's turn it was. */
  | { readonly type: "stopped" }
  /** The reservation was not accepted. */
  | { readonly type: "refused" }
  | AgentRecord;

export type GoalEffect =
  | { readonly type: "reserve"; readonly id: string; readonly round: number }
  | { readonly type: "retract"; readonly id: string };

export type GoalStep = { readonly state: GoalState; readonly effects: readonly GoalEffect[] };

export function initialGoal({ name, roundLimit }: Pick<GoalState, "name" | "roundLimit">): GoalState {
  return {
    name,
    roundLimit,
    mode: "disarmed",
    reservation: null,
    turn: null,
    rounds: 0,
    serial: 0,
  };
}

/** Moves the goal by one input. */
export function stepGoal(state: GoalState, input: GoalInput): GoalStep {
  const effects: GoalEffect[] = [];
  return { state: next(state, effects, input), effects };
}

function next(state: GoalState, effects: GoalEffect[], input: GoalInput): GoalState {
  switch (input.type) {
    case "arm": {
      const armed: GoalState = { ...state, mode: "armed" };
      // At idle no edge is to come, so the first round is reserved here.
      return input.idle && state.reservation === null ? atIdle(armed, effects, input.queued) : armed;
    }
    case "disarm":
      return giveUp(state, effects, "disarmed");
    case "idle":
      // Whatever became of a reservation that is still open here, it was not a completed round.
      return atIdle(state.reservation === null ? state : giveUp(state, [], "paused"), effects, input.queued);
    case "stopped":
      return state.mode === "armed" ? giveUp(state, effects, "paused") : state;
    case "refused":
      return giveUp(state, [], "paused");
    case "inbox/removed":
      if (input.id !== state.reservation) return state;
      return input.outcome === "claimed" ? { ...state, turn: input.turn ?? null } : giveUp(state, effects, "paused");
    case "turn/end":
      return input.turn === state.turn ? ended(state, effects, input.reason) : state;
    default:
      return state;
  }
}

function ended(state: GoalState, effects: GoalEffect[], { kind }: TurnEndReason): GoalState {
  if (kind !== "completed") {
    return giveUp(state, effects, kind === "failed" || kind === "max-tokens" ? "disarmed" : "paused");
  }
  const rounds = state.rounds + 1;
  return { ...state, mode: rounds < state.roundLimit ? "armed" : "disarmed", reservation: null, turn: null, rounds };
}

/** Clears away what was given up, then reserves the next round unless somebody else is waiting for a turn. */
function atIdle(state: GoalState, effects: GoalEffect[], queued: readonly string[]): GoalState {
  // Given up in the middle of a turn, it may have come back since.
  const last = idOf(state);
  if (queued.includes(last)) effects.push({ type: "retract", id: last });
  if (state.mode !== "armed" || queued.some((id) => id !== last)) return state;
  const reserved = { ...state, serial: state.serial + 1 };
  const id = idOf(reserved);
  effects.push({ type: "reserve", id, round: state.rounds + 1 });
  return { ...reserved, reservation: id };
}

/** Lets go of the reservation, so that nothing of a goal at rest is run by somebody else's wake. */
function giveUp(state: GoalState, effects: GoalEffect[], mode: "disarmed" | "paused"): GoalState {
  const { reservation: id } = state;
  if (id !== null) effects.push({ type: "retract", id });
  return { ...state, mode, reservation: null, turn: null };
}

function idOf({ name, serial }: GoalState): string {
  return `${name} ${serial}`;
}
