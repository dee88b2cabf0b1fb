import { isPendingWake, noteRemoved, putBack, wantsTurn } from "./inbox.ts";
import type {
  AgentEffect,
  AgentPolicy,
  AgentState,
  AgentStep,
  Maintenance,
  Running,
  Stage,
  TurnEndReason,
} from "./state.ts";

/**
 * The life of a driver, one function for each word of the contract: start a driver, claim, give the batch back, close,
 * boundary, converge. `effects` is what the transition has decided so far; each function adds its own behind it.
 *
 * The rule they keep: a wake is lost only to something that happened after it.
 */
type Effects = readonly AgentEffect[];

/** Begins a driver at idle: with the record that storage refused, or with the next turn. */
export function startDriver(state: AgentState, effects: Effects): AgentStep {
  const record = state.unwritten ?? { type: "turn/start", turn: state.lastTurn + 1 };
  const stage = record.type === "turn/start" ? "opening" : "closing";
  return {
    state: { ...state, phase: fresh(stage, record.turn), unwritten: null },
    effects: [...effects, { type: "status", status: "running" }, { type: "append", record }],
  };
}

/** Takes messages off the inbox and asks which of them enter the step. An empty batch is asked about as well. */
export function claim(
  policy: AgentPolicy,
  state: AgentState,
  phase: Running,
  lane: "next-turn" | "next-step",
): AgentStep {
  const { turn } = phase;
  const step = phase.step + 1;
  const prompts = lane === "next-step" ? 0 : policy.claim === "all" ? state.nextTurn.length : 1;
  const batch = [...state.nextStep, ...state.nextTurn.slice(0, prompts)];
  return {
    state: {
      ...state,
      phase: { ...phase, stage: "proposing", step, batch },
      nextTurn: state.nextTurn.slice(prompts),
      nextStep: [],
    },
    effects: [...noteRemoved(batch, "claimed", turn), { type: "propose", turn, step, messages: batch }],
  };
}

/** Returns what is left of the batch: a stop never makes an accepted message vanish without a record. */
export function giveBatchBack(state: AgentState, { batch }: Running): AgentStep {
  if (batch.length === 0) return { state, effects: [] };
  return {
    state: putBack(state, batch),
    effects: [{ type: "append", record: { type: "inbox/restored", messages: batch } }],
  };
}

export function close(state: AgentState, phase: Running, outcome: TurnEndReason, effects: Effects): AgentStep {
  return {
    state: { ...state, phase: { ...phase, stage: "closing", batch: [], outcome } },
    effects: [...effects, { type: "append", record: { type: "turn/end", turn: phase.turn, reason: outcome } }],
  };
}

/** Looks and decides in one transition, so no gap is left between the last look and the exit. */
export function boundary(policy: AgentPolicy, state: AgentState, phase: Running): AgentStep {
  const { outcome, turn } = phase;
  const parks = outcome?.kind === "failed" && policy.afterFailure === "park";
  if (state.disposed || phase.stop !== null || parks) return converge(state, phase, []);
  // Without an outcome only a left-over turn/end was landed: the wake that started this driver has its turn to come.
  if (outcome !== null && !wantsTurn(state)) return converge(state, phase, []);
  return {
    state: { ...state, phase: fresh("opening", turn + 1) },
    effects: [{ type: "append", record: { type: "turn/start", turn: turn + 1 } }],
  };
}

/** Ends an activity, and replays a latched wake that is still there to be served. */
export function converge(state: AgentState, phase: Running | Maintenance, effects: Effects): AgentStep {
  const idle: AgentState = { ...state, phase: { kind: "idle" } };
  const left: Effects = phase.kind === "running" ? [...effects, { type: "status", status: "idle" }] : effects;
  if (!state.disposed && phase.latched.some((id) => isPendingWake(state, id))) return startDriver(idle, left);
  const quiet: Effects = [...left, { type: "quiescent" }];
  return { state: idle, effects: state.disposed ? [...quiet, { type: "disposed" }] : quiet };
}

function fresh(stage: Stage, turn: number): Running {
  return {
    kind: "running",
    stage,
    turn,
    step: 0,
    batch: [],
    outcome: null,
    natural: false,
    stop: null,
    latched: [],
  };
}
