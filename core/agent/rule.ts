import type { AgentEffect, AgentInput, AgentPolicy, AgentRefusal, AgentState } from "./state.ts";

/** What a transition has decided so far, in order. */
export type Effects = AgentEffect[];

export type InputOf<Type extends AgentInput["type"]> = {
  readonly [T in Type]: Extract<AgentInput, { readonly type: T }>;
}[Type];

/**
 * A rule for each type of input. It returns the next state and adds what it decides to `effects`. To turn an input away
 * it returns the reason of a refusal, or nothing for a report that does not match the live activity.
 */
export type Rules<Type extends AgentInput["type"]> = {
  readonly [T in Type]: (
    state: AgentState,
    effects: Effects,
    input: InputOf<T>,
    policy: AgentPolicy,
  ) => AgentState | AgentRefusal | undefined;
};
