/** A model that is a graph written down: the state is a node, an input is one of its moves. */
import type { Model } from "../model.ts";
import { integer, record } from "../schema.ts";

export type At = { readonly at: number };
export type Move = { readonly label: string; readonly to: number };
type Rest = Partial<Omit<Model<At, Move, never>, "initial" | "schema" | "inputs" | "step">>;

/** Starts at node 0. Every node is quiescent unless `rest` says otherwise. */
export function graphModel(moves: readonly (readonly Move[])[], rest: Rest = {}): Model<At, Move, never> {
  return {
    name: "graph",
    bounds: { nodes: moves.length },
    initial: { at: 0 },
    schema: record({ at: integer(0, moves.length - 1) }),
    inputs: ({ at }, emit) => moves[at]?.forEach((move) => void emit(move)),
    step: (_state, { to }) => ({ state: { at: to }, effects: [] }),
    always: [],
    everyStep: [],
    atQuiescence: [],
    quiescent: () => true,
    goals: [],
    describe: ({ label }) => label,
    ...rest,
  };
}

/** `"a>1 b>2"`: one node's moves. */
export function moves(text: string): readonly Move[] {
  return text
    .split(" ")
    .filter((move) => move !== "")
    .map((move) => {
      const [label = "", to] = move.split(">");
      return { label, to: Number(to) };
    });
}
