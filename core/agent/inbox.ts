import type { Effects } from "./rule.ts";
import type { AgentRecord, AgentState, Message } from "./state.ts";

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

/** All that the agent has accepted and not yet dealt with, in order; first what its driver has claimed. */
export function held(state: AgentState): readonly Message[] {
  const batch = state.phase.kind === "running" ? state.phase.batch : [];
  return [...batch, ...pending(state)];
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

export function append(effects: Effects, record: AgentRecord): void {
  effects.push({ type: "append", record });
}

type Fate = { readonly outcome: "canceled" } | { readonly outcome: "claimed" | "blocked"; readonly turn: number };

/** Notes what became of each of the messages. */
export function noteRemoved(effects: Effects, messages: readonly { readonly id: string }[], fate: Fate): void {
  for (const { id } of messages) append(effects, { type: "inbox/removed", id, ...fate });
}
