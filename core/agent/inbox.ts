import type { AgentEffect, AgentState, Message } from "./state.ts";

/**
 * The two lanes of the inbox. Ids are compared, never used as keys: `__proto__` is an id like any other, and a lane is
 * short enough to be walked.
 */

export function includesId(messages: readonly Message[], id: string): boolean {
  return messages.some((message) => message.id === id);
}

export function isPending(state: AgentState, id: string): boolean {
  return includesId(state.nextStep, id) || includesId(state.nextTurn, id);
}

/** Holds for what a latch is replayed for. The id alone is not enough: it may have been retracted and sent again as context. */
export function isPendingWake(state: AgentState, id: string): boolean {
  return holdsWake(state.nextStep, id) || holdsWake(state.nextTurn, id);
}

/** Context that was only injected never spends a model call by itself. */
export function wantsTurn(state: AgentState): boolean {
  return state.nextTurn.length > 0 || state.nextStep.some((message) => message.wake);
}

/** Claimed by a driver, and neither entered, blocked nor returned yet. */
export function openBatch({ phase }: AgentState): readonly Message[] {
  return phase.kind === "running" ? phase.batch : [];
}

export function insert(state: AgentState, message: Message): AgentState {
  return message.lane === "next-turn"
    ? { ...state, nextTurn: [...state.nextTurn, message] }
    : { ...state, nextStep: [...state.nextStep, message] };
}

export function remove(state: AgentState, id: string): AgentState {
  const others = (message: Message) => message.id !== id;
  return { ...state, nextTurn: state.nextTurn.filter(others), nextStep: state.nextStep.filter(others) };
}

/** Returns a batch to the heads of its lanes, in batch order. */
export function putBack(state: AgentState, batch: readonly Message[]): AgentState {
  return {
    ...state,
    nextTurn: [...batch.filter((message) => message.lane === "next-turn"), ...state.nextTurn],
    nextStep: [...batch.filter((message) => message.lane === "next-step"), ...state.nextStep],
  };
}

export function noteCanceled({ id }: { readonly id: string }): AgentEffect {
  return { type: "append", record: { type: "inbox/removed", id, outcome: "canceled" } };
}

/** Notes what a turn did to each of the messages. */
export function noteRemoved(
  messages: readonly Message[],
  outcome: "claimed" | "blocked",
  turn: number,
): readonly AgentEffect[] {
  return messages.map(({ id }) => ({ type: "append", record: { type: "inbox/removed", id, outcome, turn } }));
}

function holdsWake(messages: readonly Message[], id: string): boolean {
  return messages.some((message) => message.wake && message.id === id);
}
