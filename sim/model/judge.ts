/** Says what is broken. Explorer and replay both ask here, so that a violation means the same to both. */
import type { Model } from "./model.ts";

export type Violation = {
  /** `always`, `everyStep` and `atQuiescence` invariants; a state in which nothing can happen; a reducer that threw. */
  readonly kind: "always" | "every-step" | "at-quiescence" | "deadlock" | "threw";
  readonly name: string;
  readonly saw: string;
};

export function judgeState<State, Input, Effect>(model: Model<State, Input, Effect>, state: State): Violation | null {
  for (const invariant of model.always) {
    const saw = invariant.violation(state);
    if (saw !== null) return { kind: "always", name: invariant.name, saw };
  }
  if (model.atQuiescence.length === 0 || !model.quiescent(state)) return null;
  for (const invariant of model.atQuiescence) {
    const saw = invariant.violation(state);
    if (saw !== null) return { kind: "at-quiescence", name: invariant.name, saw };
  }
  return null;
}

export function judgeStep<State, Input, Effect>(
  model: Model<State, Input, Effect>,
  before: State,
  input: Input,
  after: State,
  effects: readonly Effect[],
): Violation | null {
  for (const invariant of model.everyStep) {
    const saw = invariant.violation(before, input, after, effects);
    if (saw !== null) return { kind: "every-step", name: invariant.name, saw };
  }
  return null;
}

export function thrown(error: unknown): Violation {
  return { kind: "threw", name: "step() throws", saw: error instanceof Error ? error.message : String(error) };
}

export const deadlock: Violation = {
  kind: "deadlock",
  name: "deadlock",
  saw: "nothing can happen, and the state is not quiescent",
};
