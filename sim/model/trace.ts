/**
 * From numbers of states to a run of the plain reducer: a verdict counts only if the reducer itself gives it. Under symmetry
 * the stored states are representatives, so the run looks for inputs that lead to the next one's class.
 */
import type { Explored } from "./explored.ts";
import { deadlock, judgeState, judgeStep, thrown, type Violation } from "./judge.ts";
import { ModelError } from "./model.ts";
import { SchemaError } from "./schema.ts";

export type Taken<State, Input, Effect> = {
  readonly input: Input;
  /** The input in words. */
  readonly text: string;
  readonly effects: readonly Effect[];
  /** The state after it; the one before it if the reducer threw. */
  readonly state: State;
};
export type Trace<State, Input, Effect> = {
  readonly initial: State;
  readonly steps: readonly Taken<State, Input, Effect>[];
};

export function lastOf<State, Input, Effect>({ initial, steps }: Trace<State, Input, Effect>): State {
  const last = steps.at(-1);
  return last === undefined ? initial : last.state;
}

/** A shortest run to a state. */
export function traceTo<State, Input, Effect>(
  explored: Explored<State, Input, Effect>,
  number: number,
): Trace<State, Input, Effect> {
  const numbers: number[] = [];
  for (let at = number; at !== 0; at = explored.table.parent(at)) numbers.unshift(at);
  const { initial, name } = explored.model;
  const steps: Taken<State, Input, Effect>[] = [];
  for (const next of numbers) {
    const edges = successors(explored, lastOf({ initial, steps }));
    const edge = edges.find(
      ({ taken, violation }) => violation?.kind !== "threw" && explored.find(taken.state) === next,
    );
    if (edge === undefined) {
      const after = steps.length === 0 ? "the initial state" : `"${steps.at(-1)?.text}"`;
      throw new ModelError(
        `Cannot replay a run of "${name}": after ${after} no input leads on as it did; inputs() and step() must depend on nothing but the state, and canonical() must be a symmetry`,
      );
    }
    steps.push(edge.taken);
  }
  return { initial, steps };
}

/** Runs to the state at which something was found broken, and has the plain reducer break it again. */
export function counterexample<State, Input, Effect>(
  explored: Explored<State, Input, Effect>,
  at: number,
  found: Violation,
): { readonly violation: Violation; readonly trace: Trace<State, Input, Effect> } {
  const { model } = explored;
  const same = (violation: Violation | null) => violation?.kind === found.kind && violation.name === found.name;
  const trace = traceTo(explored, at);
  const last = lastOf(trace);
  if (found.kind === "deadlock" && explored.inputsOf(last).length === 0 && !model.quiescent(last)) {
    return { violation: deadlock, trace };
  }
  const broken = judgeState(model, last);
  if (broken !== null && same(broken)) return { violation: broken, trace };
  for (const { taken, violation } of successors(explored, last)) {
    if (violation !== null && same(violation)) {
      return { violation, trace: { initial: trace.initial, steps: [...trace.steps, taken] } };
    }
  }
  throw new ModelError(
    `Cannot replay "${found.name}" of "${model.name}": expected what was found first (${found.saw}), found nothing broken`,
  );
}

/** A successor of this state does not fit into the schema: says which inputs lead to it. */
export function located<State, Input, Effect>(
  explored: Explored<State, Input, Effect>,
  at: number,
  error: SchemaError,
): SchemaError {
  const { model } = explored;
  const trace = traceTo(explored, at);
  const before = lastOf(trace);
  const last = [...explored.inputsOf(before)].find((input) => {
    try {
      explored.find(model.step(before, input).state);
      return false;
    } catch (again) {
      return again instanceof SchemaError;
    }
  });
  const texts = trace.steps.map(({ text }) => text);
  if (last !== undefined) texts.push(model.describe(last));
  return new SchemaError(`${error.message}\n  in "${model.name}", after ${texts.join(", ")}`);
}

type Edge<State, Input, Effect> = {
  readonly taken: Taken<State, Input, Effect>;
  readonly violation: Violation | null;
};

/** Every edge out of a state, judged. */
function successors<State, Input, Effect>(
  explored: Explored<State, Input, Effect>,
  before: State,
): readonly Edge<State, Input, Effect>[] {
  const { model } = explored;
  return [...explored.inputsOf(before)].map((input) => {
    const text = model.describe(input);
    try {
      const { state, effects } = model.step(before, input);
      const violation = judgeStep(model, before, input, state, effects) ?? judgeState(model, state);
      return { taken: { input, text, effects, state }, violation };
    } catch (error) {
      return { taken: { input, text, effects: [], state: before }, violation: thrown(error) };
    }
  });
}
