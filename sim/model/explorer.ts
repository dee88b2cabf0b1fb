/**
 * Visits every state that a model can reach: breadth-first, so that the first violation has a shortest counterexample. States
 * are numbered as they are found, which makes a level a range of numbers, and the frontier needs no memory of its own.
 *
 * It can stop after any state and go on later, in this process or from a checkpoint. A state that was begun and not finished
 * is done again: its successors are known by then, its edges are counted anew.
 */
import { Explored } from "./explored.ts";
import { deadlock, judgeState, judgeStep, thrown, type Violation } from "./judge.ts";
import type { Goal, Model } from "./model.ts";
import { askPlain, type PackedReducer } from "./packed.ts";
import type { ModelResult, Progress, RunOptions } from "./result.ts";
import { SchemaError } from "./schema.ts";
import { inSlices } from "./slices.ts";
import { full, known } from "./state-table.ts";
import { counterexample, located } from "./trace.ts";

/** Where an exploration stands: all that is to be known beside the states. */
export type Position = {
  /** The state to be visited next. */
  readonly next: number;
  readonly levelEnd: number;
  readonly depth: number;
  readonly edges: number;
  /** In the order of the model's goals. */
  readonly goals: readonly (number | null)[];
  /** Some state was taken by a packed reducer alone. */
  readonly surveyed: boolean;
};

type Found = { readonly kind: "violated"; readonly at: number; readonly violation: Violation };
type Stop = { readonly kind: "end" } | { readonly kind: "full" } | Found;

const defaultMemoryBytes = 2 ** 30;
const surveyedOnly = "surveyed with a packed reducer: found nothing, proved nothing";
const end: Stop = { kind: "end" };
const outOfRoom: Stop = { kind: "full" };

export class Explorer<State, Input, Effect> {
  readonly explored: Explored<State, Input, Effect>;
  readonly #packed: PackedReducer | null;
  readonly #successors: Int32Array;
  #next = 0;
  #levelEnd = 1;
  #depth = 0;
  #edges = 0;
  #goals: (number | null)[];
  /** The goals nobody has reached yet, by their place in the model. */
  #open: { readonly goal: Goal<State, Input, Effect>; readonly place: number }[] = [];
  #surveyed = false;
  #found: Found | null = null;

  constructor(model: Model<State, Input, Effect>, packed: PackedReducer | null = null) {
    this.explored = new Explored(model);
    this.#packed = packed;
    this.#successors = new Int32Array((packed?.mostInputs ?? 0) * this.explored.codec.words);
    this.#goals = model.goals.map(() => null);
    this.#openGoals();
    this.explored.add(model.initial, 0);
  }

  /** Explores on until the end, a violation, a limit or the signal. After a limit it may be called again with a higher one. */
  async run(options: RunOptions = {}): Promise<ModelResult<State, Input, Effect>> {
    const { memoryBytes = defaultMemoryBytes, stateLimit = Number.POSITIVE_INFINITY, signal, onProgress } = options;
    if (this.#found !== null) return this.#broken(this.#found);
    this.explored.table.limit(memoryBytes, stateLimit);
    try {
      const stop = await inSlices(() => this.#visitNext(), { signal, between: () => onProgress?.(this.progress()) });
      if (stop === "aborted") return this.#result("incomplete", "stopped by its caller");
      switch (stop.kind) {
        case "violated":
          this.#found = stop;
          return this.#broken(stop);
        case "full":
          return this.#result("incomplete", this.#limitReached(memoryBytes, stateLimit));
        case "end":
          // A packed reducer may be wrong: it finds, it does not prove.
          return this.#surveyed ? this.#result("incomplete", surveyedOnly) : this.#result("proved", null);
      }
    } catch (error) {
      throw error instanceof SchemaError ? located(this.explored, this.#next, error) : error;
    }
  }

  progress(): Progress {
    const { states, bytes } = this.explored.table;
    return { states, waiting: states - this.#next, edges: this.#edges, depth: this.#depth, bytes };
  }

  /** Null after a violation: there is nothing to go on with. */
  get position(): Position | null {
    if (this.#found !== null) return null;
    return {
      next: this.#next,
      levelEnd: this.#levelEnd,
      depth: this.#depth,
      edges: this.#edges,
      goals: [...this.#goals],
      surveyed: this.#surveyed,
    };
  }

  /** Goes on from a position; the states that belong to it are in the table. */
  moveTo(position: Position): void {
    this.#next = position.next;
    this.#levelEnd = position.levelEnd;
    this.#depth = position.depth;
    this.#edges = position.edges;
    this.#goals = [...position.goals];
    this.#surveyed = position.surveyed;
    this.#openGoals();
  }

  /** The plain reducer has visited every state, and nothing is broken. */
  get complete(): boolean {
    return this.#next === this.explored.table.states && !this.#surveyed && this.#found === null;
  }

  #visitNext(): Stop | null {
    if (this.#next === this.#levelEnd) {
      const { states } = this.explored.table;
      if (states === this.#levelEnd) return end;
      this.#levelEnd = states;
      this.#depth++;
    }
    const number = this.#next;
    const broken = number === 0 ? this.#judge(number) : null;
    const stop = broken ?? (this.#packed === null ? this.#visit(number) : this.#survey(number, this.#packed));
    if (stop === null) this.#next++;
    return stop;
  }

  /** States are judged when they are found; this is for those that nobody found, or a packed reducer. */
  #judge(number: number): Stop | null {
    const violation = judgeState(this.explored.model, this.explored.stateAt(number));
    return violation === null ? null : { kind: "violated", at: number, violation };
  }

  /** The hot path: every edge of the model goes through here. */
  #visit(number: number): Stop | null {
    const { explored } = this;
    const { model } = explored;
    const edgesBefore = this.#edges;
    const before = explored.stateAt(number);
    const inputs = explored.inputsOf(before);
    if (inputs.length === 0 && !model.quiescent(before)) return { kind: "violated", at: number, violation: deadlock };
    for (const input of inputs) {
      this.#edges++;
      let after: State;
      let effects: readonly Effect[];
      try {
        ({ state: after, effects } = model.step(before, input));
      } catch (error) {
        return this.#shortest(number, thrown(error));
      }
      const broken = judgeStep(model, before, input, after, effects);
      if (broken !== null) return this.#shortest(number, broken);
      if (this.#open.length > 0) this.#reach(before, input, after, effects);
      if (after === before) continue;
      const added = explored.add(after, number);
      if (added === known) continue;
      if (added === full) {
        this.#edges = edgesBefore;
        return outOfRoom;
      }
      const violation = judgeState(model, after);
      if (violation !== null) return this.#shortest(number, violation);
    }
    return null;
  }

  /** The same by a packed reducer, which judges nothing. */
  #survey(number: number, packed: PackedReducer): Stop | null {
    const { table } = this.explored;
    const successors = this.#successors;
    const count = packed.expand(table.chunk(number), table.offset(number), successors);
    if (count === askPlain || count === 0) return this.#judge(number) ?? this.#visit(number);
    for (let index = 0; index < count; index++) {
      if (table.add(successors, index * table.words, number) === full) return outOfRoom;
    }
    this.#edges += count;
    this.#surveyed = true;
    return null;
  }

  #reach(before: State, input: Input, after: State, effects: readonly Effect[]): void {
    for (const { goal, place } of this.#open) {
      if (goal.reached(before, input, after, effects)) this.#goals[place] = this.#depth + 1;
    }
    if (this.#open.some(({ place }) => this.#goals[place] !== null)) this.#openGoals();
  }

  #openGoals(): void {
    this.#open = this.explored.model.goals
      .map((goal, place) => ({ goal, place }))
      .filter(({ place }) => this.#goals[place] === null);
  }

  /** A step out of this level is broken; a deadlock in the rest of the level would be one step shorter. */
  #shortest(at: number, violation: Violation): Stop {
    const { explored } = this;
    for (let number = at + 1; number < this.#levelEnd; number++) {
      const state = explored.stateAt(number);
      if (explored.inputsOf(state).length === 0 && !explored.model.quiescent(state)) {
        return { kind: "violated", at: number, violation: deadlock };
      }
    }
    return { kind: "violated", at, violation };
  }

  #broken({ at, violation: found }: Found): ModelResult<State, Input, Effect> {
    const { violation, trace } = counterexample(this.explored, at, found);
    return { ...this.#result("violated", null), violation, counterexample: trace };
  }

  #result(outcome: "proved" | "violated" | "incomplete", why: string | null): ModelResult<State, Input, Effect> {
    const { model, table } = this.explored;
    return {
      model: model.name,
      bounds: model.bounds,
      outcome,
      why,
      states: table.states,
      edges: this.#edges,
      depth: this.#depth,
      goals: Object.fromEntries(model.goals.map(({ name }, place) => [name, this.#goals[place] ?? null])),
      bytesPerState: table.bytes / table.states,
      violation: null,
      counterexample: null,
    };
  }

  #limitReached(memoryBytes: number, stateLimit: number): string {
    const { states, fullOf } = this.explored.table;
    const limits = {
      states: `state limit of ${stateLimit}`,
      memory: `memory limit of ${memoryBytes} bytes`,
      machine: "limit of the machine's memory",
    };
    return `${limits[fullOf]} reached after ${states} states at depth ${this.#depth}`;
  }
}
