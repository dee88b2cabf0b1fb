import type { AgentEffect, AgentRecord, AgentState, Message } from "./state.ts";

/**
 * The inbox: one sequence of messages in the order in which they would be claimed, stored as two lanes. Ids are
 * compared, never used as keys: `__proto__` is an id like any other, and an inbox is short enough to be walked.
 */

export function pending({ nextStep, nextTurn }: AgentState): readonly Message[] {
  return [...nextStep, ...nextTurn];
}

/** Replaces what is pending; the messages go to their lanes, each in the order given. */
export function withPending(state: AgentState, messages: readonly Message[]): AgentState {
  return {
    ...state,
    nextTurn: messages.filter(({ lane }) => lane === "next-turn"),
    nextStep: messages.filter(({ lane }) => lane === "next-step"),
  };
}

/** Claimed by a driver, and neither entered, blocked nor returned yet. */
function openBatch({ phase }: AgentState): readonly Message[] {
  return phase.kind === "running" ? phase.batch : [];
}

/** All that the agent has accepted and not yet dealt with, in order. */
export function held(state: AgentState): readonly Message[] {
  return [...openBatch(state), ...pending(state)];
}

export function includesId(messages: readonly Message[], id: string): boolean {
  return messages.some((message) => message.id === id);
}

export function withoutId(messages: readonly Message[], id: string): readonly Message[] {
  return messages.filter((message) => message.id !== id);
}

/** Context that was only injected never spends a model call by itself. */
export function wantsTurn({ lane, wake }: Message): boolean {
  return wake || lane === "next-turn";
}

export function append(record: AgentRecord): AgentEffect {
  return { type: "append", record };
}

type Fate = { readonly outcome: "canceled" } | { readonly outcome: "claimed" | "blocked"; readonly turn: number };

/** Notes what became of each of the messages. */
export function noteRemoved(messages: readonly { readonly id: string }[], fate: Fate): readonly AgentEffect[] {
  return messages.map(({ id }) => append({ type: "inbox/removed", id, ...fate }));
}
