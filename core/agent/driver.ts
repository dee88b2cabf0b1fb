import { append, noteRemoved, pending, wantsTurn, withPending } from "./inbox.ts";
import type { Effects } from "./rule.ts";
import type { AgentPolicy, AgentState, Maintenance, Running, Stage, Stop, TurnEndReason, TurnRecord } from "./state.ts";

/**
 * The life of a driver, one function for each word of the contract: start a driver, claim, give the batch back, close,
 * boundary, converge. Each returns the next state and adds what it decides to `effects`.
 *
 * The rule they keep: a wake is lost only to something that happened after it.
 */

/** Begins a driver at idle: with the record that storage refused, or with the next turn. */
export function startDriver(state: AgentState, effects: Effects): AgentState {
  effects.push({ type: "status", status: "running" });
  const record = state.unwritten ?? { type: "turn/start", turn: state.lastTurn + 1 };
  return open(state, effects, record);
}

/** Takes messages off the inbox and asks which of them enter the step. An empty batch is asked about as well. */
export function claim(state: AgentState, effects: Effects, phase: Running, prompts: number): AgentState {
  const { turn } = phase;
  const step = phase.step + 1;
  const batch = [...state.nextStep, ...state.nextTurn.slice(0, prompts)];
  noteRemoved(effects, batch, { outcome: "claimed", turn });
  effects.push({ type: "propose", turn, step, messages: batch });
  return {
    ...state,
    phase: { ...phase, stage: "proposing", step, batch },
    nextTurn: state.nextTurn.slice(prompts),
    nextStep: [],
  };
}

/** Ends the turn of a stop. What is left of the batch goes back: a stop never makes an accepted message vanish. */
export function closeStopped(state: AgentState, effects: Effects, phase: Running, { cause }: Stop): AgentState {
  const { batch } = phase;
  if (batch.length > 0) append(effects, { type: "inbox/restored", messages: batch });
  return close(withPending(state, [...batch, ...pending(state)]), effects, phase, { kind: "aborted", cause });
}

export function close(state: AgentState, effects: Effects, phase: Running, outcome: TurnEndReason): AgentState {
  append(effects, { type: "turn/end", turn: phase.turn, reason: outcome });
  return { ...state, phase: { ...phase, stage: "closing", batch: [], outcome } };
}

/** Looks and decides in one transition, so no gap is left between the last look and the exit. */
export function boundary(state: AgentState, effects: Effects, phase: Running, policy: AgentPolicy): AgentState {
  const { outcome, turn } = phase;
  const parks = outcome?.kind === "failed" && policy.afterFailure === "park";
  // Without an outcome only a left-over turn/end was landed: the wake that started this driver has its turn to come.
  const wanted = outcome === null || pending(state).some(wantsTurn);
  if (state.disposed || phase.stop || parks || !wanted) return converge(state, effects, phase);
  return open(state, effects, { type: "turn/start", turn: turn + 1 });
}

/** Ends an activity, and replays a latched wake that is still there to be served. */
export function converge(state: AgentState, effects: Effects, phase: Running | Maintenance): AgentState {
  const idle: AgentState = { ...state, phase: { kind: "idle" } };
  if (phase.kind === "running") effects.push({ type: "status", status: "idle" });
  // The id alone is not enough: it may have been retracted and sent again as context.
  const due = pending(state).some(({ id, wake }) => wake && phase.latched.includes(id));
  if (due && !state.disposed) return startDriver(idle, effects);
  effects.push({ type: "quiescent" });
  if (state.disposed) effects.push({ type: "disposed" });
  return idle;
}

/** Tells whether a stop has reached the activity, which then only converges. */
export function isStopped({ phase }: AgentState): boolean {
  return phase.kind !== "idle" && phase.stop !== null;
}

/** Names the stage in which a turn record is being written. */
export function stageOf({ type }: TurnRecord): Stage {
  return type === "turn/start" ? "opening" : "closing";
}

function open(state: AgentState, effects: Effects, record: TurnRecord): AgentState {
  append(effects, record);
  return {
    ...state,
    unwritten: null,
    phase: {
      kind: "running",
      stage: stageOf(record),
      turn: record.turn,
      step: 0,
      batch: [],
      outcome: null,
      natural: false,
      stop: null,
      latched: [],
    },
  };
}
