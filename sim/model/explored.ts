/** The states found so far as a graph. Edges are not stored: whoever needs a state's successors asks the model again. */
import { type Codec, fastCodec } from "./codec.ts";
import type { Model } from "./model.ts";
import { StateTable } from "./state-table.ts";

export class Explored<State, Input, Effect> {
  readonly model: Model<State, Input, Effect>;
  readonly codec: Codec<State>;
  readonly table: StateTable;
  readonly #words: Int32Array;
  readonly #inputs: Input[] = [];
  readonly #emit = (input: Input): void => {
    this.#inputs.push(input);
  };

  /** `states`: an exploration of the same states, which are then shared. */
  constructor(model: Model<State, Input, Effect>, states: Explored<State, Input, Effect> | null = null) {
    this.model = model;
    this.codec = states?.codec ?? fastCodec(model.schema);
    this.table = states?.table ?? new StateTable(this.codec.words);
    this.#words = new Int32Array(this.codec.words);
  }

  stateAt(number: number): State {
    return this.codec.decode(this.table.chunk(number), this.table.offset(number));
  }

  /** What may happen in a state. The list is good until the next call. */
  inputsOf(state: State): readonly Input[] {
    this.#inputs.length = 0;
    this.model.inputs(state, this.#emit);
    return this.#inputs;
  }

  /** As `StateTable.add()`, of the state's representative. */
  add(state: State, parent: number): number {
    this.#pack(state);
    return this.table.add(this.#words, 0, parent);
  }

  /** The number of the state's representative, or -1. */
  find(state: State): number {
    this.#pack(state);
    return this.table.find(this.#words, 0);
  }

  #pack(state: State): void {
    const { model } = this;
    this.codec.encode(model.canonical === undefined ? state : model.canonical(state), this.#words, 0);
  }
}
