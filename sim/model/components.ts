/**
 * Strongly connected components by Tarjan's algorithm, without recursion: a path through a million states would not fit on
 * any call stack. Edges are asked for once per node and held only while the node is open.
 */

export type Graph = {
  readonly nodes: number;
  /** Where to begin; a node that is not reached from any root is left out. */
  isRoot(node: number): boolean;
  /** Pushes the successors that count. */
  successors(node: number, push: (node: number) => void): void;
};

/** Gives out one component after the other, each as the numbers of its nodes. */
export class Components {
  readonly #graph: Graph;
  /** 0: not seen. A node is numbered when it opens; once its component is given out it counts as the largest number. */
  readonly #order: Int32Array;
  readonly #low: Int32Array;
  #seen = 0;
  #root = 0;
  /** Nodes whose component is not known yet. */
  readonly #pending: number[] = [];
  /** The path to the node at work, and where the successors of each begin in `#edges`. */
  readonly #path: number[] = [];
  readonly #starts: number[] = [];
  readonly #edges: number[] = [];
  readonly #push = (node: number): void => {
    this.#edges.push(node);
  };

  constructor(graph: Graph) {
    this.#graph = graph;
    this.#order = new Int32Array(graph.nodes);
    this.#low = new Int32Array(graph.nodes);
  }

  /** Takes one step. A component if the step closed one, `none` at the end, null otherwise. */
  step(): readonly number[] | "none" | null {
    const node = this.#path.at(-1);
    if (node === undefined) return this.#nextRoot() ? null : "none";
    const edge = this.#edges.length > (this.#starts.at(-1) ?? 0) ? this.#edges.pop() : undefined;
    if (edge === undefined) return this.#close(node);
    if (this.#order[edge] === 0) this.#open(edge);
    else this.#lower(node, this.#order[edge] ?? 0);
    return null;
  }

  #nextRoot(): boolean {
    const { nodes } = this.#graph;
    while (this.#root < nodes && (this.#order[this.#root] !== 0 || !this.#graph.isRoot(this.#root))) this.#root++;
    if (this.#root === nodes) return false;
    this.#open(this.#root);
    return true;
  }

  #open(node: number): void {
    this.#seen++;
    this.#order[node] = this.#seen;
    this.#low[node] = this.#seen;
    this.#pending.push(node);
    this.#path.push(node);
    this.#starts.push(this.#edges.length);
    this.#graph.successors(node, this.#push);
  }

  #close(node: number): readonly number[] | null {
    this.#path.pop();
    this.#starts.pop();
    const low = this.#low[node] ?? 0;
    const parent = this.#path.at(-1);
    if (parent !== undefined) this.#lower(parent, low);
    if (low !== this.#order[node]) return null;
    const component = this.#pending.splice(this.#pending.lastIndexOf(node));
    for (const member of component) this.#order[member] = closed;
    return component;
  }

  #lower(node: number, order: number): void {
    if (order < (this.#low[node] ?? 0)) this.#low[node] = order;
  }
}

/** Never lowers anything. */
const closed = 0x7fff_ffff;
