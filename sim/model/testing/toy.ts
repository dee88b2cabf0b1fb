/**
 * An agent as small as a benchmark needs it, but with the usual traits: a queue, calls to a model, approvals, retries, a
 * budget, a timer. It has 1,843,064 states; `bench/toy.pml` is the same in Promela. `toyPacked` is the same on integers.
 */
import type { Model, Step } from "../model.ts";
import type { PackedReducer } from "../packed.ts";
import { integer, oneOf, record, type TypeOf } from "../schema.ts";

export const toySchema = record({
  phase: oneOf("idle", "asking", "proposed", "approved", "waiting", "halted"),
  queued: integer(0, 7),
  inFlight: integer(0, 3),
  retries: integer(0, 3),
  aborted: oneOf(false, true),
  budget: integer(0, 15),
  approval: oneOf("none", "asked", "given"),
  digest: integer(0, 7),
  turn: integer(0, 15),
  timer: oneOf(false, true),
  errors: integer(0, 7),
});
export type Toy = TypeOf<typeof toySchema>;

export type ToyInput =
  | "enqueue"
  | "start"
  | "reply: tool"
  | "reply: final"
  | "tool done"
  | "tool failed"
  | "approve"
  | "abort"
  | "timeout"
  | "retry";

const initial: Toy = {
  phase: "idle",
  queued: 0,
  inFlight: 0,
  retries: 0,
  aborted: false,
  budget: 15,
  approval: "none",
  digest: 0,
  turn: 0,
  timer: false,
  errors: 0,
};

function inputs(state: Toy, emit: (input: ToyInput) => void): void {
  const { phase } = state;
  if (state.queued < 7 && !state.aborted) emit("enqueue");
  if (phase === "idle" && state.queued > 0 && state.budget > 0) emit("start");
  if (phase === "asking") {
    emit("reply: tool");
    emit("reply: final");
  }
  if (phase === "approved" || (phase === "proposed" && state.approval === "none")) emit("tool done");
  if (phase === "approved" || phase === "proposed") emit("tool failed");
  if (phase === "proposed" && state.approval === "asked") emit("approve");
  if (!state.aborted) emit("abort");
  if (state.timer) emit("timeout");
  if ((phase === "waiting" && state.budget > 0) || (phase === "halted" && !state.aborted)) emit("retry");
}

function reduce(state: Toy, input: ToyInput): Toy {
  switch (input) {
    case "enqueue":
      return { ...state, queued: state.queued + 1 };
    case "start": {
      const { queued, inFlight, budget } = state;
      return {
        ...state,
        phase: "asking",
        queued: queued - 1,
        inFlight: (inFlight + 1) & 3,
        timer: true,
        budget: budget - 1,
      };
    }
    case "reply: tool":
      return { ...state, phase: "proposed", approval: state.turn % 2 === 1 ? "asked" : "none", timer: false };
    case "reply: final": {
      const { inFlight, turn, digest } = state;
      return {
        ...state,
        phase: "idle",
        inFlight: (inFlight - 1) & 3,
        turn: (turn + 1) & 15,
        timer: false,
        digest: digest ^ 1,
      };
    }
    case "tool done":
      return { ...state, phase: "asking", digest: (state.digest + state.turn + 1) & 7, timer: true };
    case "tool failed":
      if (state.retries === 3) return { ...state, phase: "halted", errors: 7 };
      return { ...state, phase: "waiting", retries: state.retries + 1, errors: (state.errors + 1) & 7 };
    case "approve":
      return { ...state, phase: "approved", approval: "given" };
    case "abort":
      return { ...state, aborted: true, phase: state.phase === "asking" ? "halted" : state.phase, timer: false };
    case "timeout":
      return {
        ...state,
        timer: false,
        phase: state.phase === "asking" ? "waiting" : state.phase,
        errors: (state.errors + 3) & 7,
      };
    case "retry":
      if (state.phase === "halted") return { ...state, phase: "idle", retries: 0 };
      return { ...state, phase: "asking", budget: state.budget - 1, timer: true };
  }
}

const noEffects: readonly never[] = [];

export const toy: Model<Toy, ToyInput, never> = {
  name: "toy agent",
  bounds: { budget: 15, queued: 7, retries: 3 },
  initial,
  schema: toySchema,
  inputs,
  step: (state, input): Step<Toy, never> => ({ state: reduce(state, input), effects: noEffects }),
  always: [
    {
      name: "an approval was asked for",
      violation: (state) => (state.phase === "approved" && state.approval !== "given" ? state.approval : null),
    },
  ],
  everyStep: [],
  atQuiescence: [],
  quiescent: ({ phase, aborted }) => phase !== "asking" && aborted,
  goals: [
    {
      name: "retries are used up",
      reached: (_before, _input, after) => after.phase === "halted" && after.errors === 7,
    },
    { name: "the budget is used up", reached: (_before, _input, after) => after.budget === 0 },
  ],
  describe: (input) => input,
};

/** One word, in the order of the schema: 3 bits of phase, then 3, 2, 2, 1, 4, 2, 3, 4, 1, 3. */
export const toyPacked: PackedReducer = {
  mostInputs: 10,
  expand(states, at, successors) {
    const state = states[at] ?? 0;
    const phase = state & 7;
    const queued = state & (7 << 3);
    const budget = state & (15 << 11);
    const approval = state & (3 << 15);
    const aborted = state & (1 << 10);
    let count = 0;
    if (queued !== 7 << 3 && aborted === 0) successors[count++] = state + (1 << 3);
    if (phase === 0 && queued !== 0 && budget !== 0) {
      const inFlight = (state + (1 << 6)) & (3 << 6);
      successors[count++] = ((state & ~(3 << 6)) + 1 - (1 << 3) - (1 << 11)) | inFlight | timerBit;
    }
    if (phase === 1) {
      const asked = (state >>> 20) & 1;
      successors[count++] = (state & ~(7 | (3 << 15) | timerBit)) | 2 | (asked << 15);
      const inFlight = (state - (1 << 6)) & (3 << 6);
      const turn = (state + (1 << 20)) & (15 << 20);
      successors[count++] = ((state & ~(7 | (3 << 6) | (15 << 20) | timerBit)) | inFlight | turn) ^ (1 << 17);
    }
    if (phase === 3 || (phase === 2 && approval === 0)) {
      const turn = (state >>> 20) & 15;
      const digest = (state + ((turn + 1) << 17)) & (7 << 17);
      successors[count++] = (state & ~(7 | (7 << 17))) | 1 | digest | timerBit;
    }
    if (phase === 2 || phase === 3) {
      const errors = (state + (1 << 25)) & (7 << 25);
      successors[count++] =
        (state & (3 << 8)) === 3 << 8
          ? (state & ~7) | 5 | (7 << 25)
          : (((state & ~(7 | (7 << 25))) | 4 | errors) + (1 << 8)) | 0;
    }
    if (phase === 2 && approval === 1 << 15) successors[count++] = (state & ~(7 | (3 << 15))) | 3 | (2 << 15);
    if (aborted === 0) successors[count++] = ((phase === 1 ? (state & ~7) | 5 : state) & ~timerBit) | (1 << 10);
    if ((state & timerBit) !== 0) {
      const errors = (state + (3 << 25)) & (7 << 25);
      successors[count++] = ((phase === 1 ? (state & ~7) | 4 : state) & ~(timerBit | (7 << 25))) | errors;
    }
    if (phase === 4 && budget !== 0) successors[count++] = ((state & ~7) | 1 | timerBit) - (1 << 11);
    else if (phase === 5 && aborted === 0) successors[count++] = state & ~(7 | (3 << 8));
    return count;
  },
};

const timerBit = 1 << 24;
