/**
 * A reducer on packed states, for models that are worth writing twice. It finds states faster, and it may pass over what cannot
 * be broken; it never judges. Where a state or a step out of it could be broken it answers `askPlain`, and the plain reducer
 * takes the state. Counterexamples that are found this way are real, and need not be shortest.
 */
import type { Explored } from "./explored.ts";

export const askPlain = -1;

export type PackedReducer = {
  /** Most inputs in one state. */
  readonly mostInputs: number;
  /**
   * Writes the words of the successor by each input, in the order of `inputs()`, one after the other, and says how many inputs
   * there are; or says `askPlain`. Under symmetry a successor is its representative.
   */
  expand(states: Int32Array, at: number, successors: Int32Array): number;
};

/** Compares both reducers on every explored state. Says where they first differ, or null. */
export function disagreement<State, Input, Effect>(
  explored: Explored<State, Input, Effect>,
  packed: PackedReducer,
): string | null {
  const { model, table, codec } = explored;
  const room = new Int32Array(packed.mostInputs * table.words);
  const words = new Int32Array(table.words);
  for (let number = 0; number < table.states; number++) {
    const count = packed.expand(table.chunk(number), table.offset(number), room);
    if (count === askPlain) continue;
    const before = explored.stateAt(number);
    const inputs = explored.inputsOf(before);
    if (inputs.length !== count) return `state ${number}: ${inputs.length} inputs plain, ${count} packed`;
    for (const [index, input] of inputs.entries()) {
      const { state } = model.step(before, input);
      codec.encode(model.canonical === undefined ? state : model.canonical(state), words, 0);
      const other = room.subarray(index * table.words, (index + 1) * table.words);
      if (words.some((word, place) => word !== other[place])) return `state ${number}: ${model.describe(input)}`;
    }
  }
  return null;
}
