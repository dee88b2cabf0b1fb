/**
 * What the model checker needs to know: a pure reducer, the environment that feeds it, and what must hold. Nothing here
 * does anything; `explorer.ts` visits the states, `judge.ts` says what is broken.
 */
import type { Schema } from "./schema.ts";

/** What a reducer answers. `effects` are looked at by invariants and goals, and then forgotten. */
export type Step<State, Effect> = { readonly state: State; readonly effects: readonly Effect[] };

/** Says what it saw when it is broken. */
export type StateInvariant<State> = {
  readonly name: string;
  violation(state: State): string | null;
};

/** Positional, because it is asked at every edge: nothing is allocated to ask it. */
export type StepInvariant<State, Input, Effect> = {
  readonly name: string;
  violation(before: State, input: Input, after: State, effects: readonly Effect[]): string | null;
};

/** What an exploration has to come across, or that it holds means nothing. It is asked until it has been reached once. */
export type Goal<State, Input, Effect> = {
  readonly name: string;
  reached(before: State, input: Input, after: State, effects: readonly Effect[]): boolean;
};

export type Model<State, Input, Effect> = {
  readonly name: string;
  /** The world's sizes. They are stated with every result and are part of the model's identity. */
  readonly bounds: Readonly<Record<string, number>>;
  /** The whole state: the reducer's own, and what of the past the environment and the invariants need. */
  readonly initial: State;
  readonly schema: Schema<State>;
  /** The environment: what may happen next, in an order that depends on the state alone. */
  inputs(state: State, emit: (input: Input) => void): void;
  /** The reducer. What it throws is a violation. */
  step(state: State, input: Input): Step<State, Effect>;
  readonly always: readonly StateInvariant<State>[];
  readonly everyStep: readonly StepInvariant<State, Input, Effect>[];
  /** Judged where `quiescent(state)`. A state without inputs that is not quiescent is a deadlock. */
  readonly atQuiescence: readonly StateInvariant<State>[];
  quiescent(state: State): boolean;
  readonly goals: readonly Goal<State, Input, Effect>[];
  /** Symmetry: the one state that stands for all that differ from this one in interchangeable names only. */
  canonical?(state: State): State;
  describe(input: Input): string;
};

/** The model contradicts itself: its environment, reducer or symmetry gives another answer the second time. */
export class ModelError extends Error {
  override readonly name = "ModelError";
}
