import { append, noteRemoved, pending, wantsTurn, withPending } from "./inbox.ts";
import type {
  AgentEffect,
  AgentPolicy,
  AgentState,
  AgentStep,
  Maintenance,
  Message,
  Running,
  Stage,
  Stop,
  TurnEndReason,
  TurnRecord,
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
  return open({ ...state, unwritten: null }, record, [...effects, { type: "status", status: "running" }]);
}

/** Takes messages off the inbox and asks which of them enter the step. An empty batch is asked about as well. */
export function claim(state: AgentState, phase: Running, prompts: number): AgentStep {
  const { turn } = phase;
  const step = phase.step + 1;
  const messages = pending(state);
  const count = state.nextStep.length + prompts;
  const batch = messages.slice(0, count);
  return {
    state: withPending({ ...state, phase: { ...phase, stage: "proposing", step, batch } }, messages.slice(count)),
    effects: [...noteRemoved(batch, { outcome: "claimed", turn }), { type: "propose", turn, step, messages: batch }],
  };
}

/** Ends the turn of a stop. What is left of the batch goes back: a stop never makes an accepted message vanish. */
export function closeStopped(state: AgentState, phase: Running, { cause }: Stop): AgentStep {
  const { batch } = phase;
  const back = batch.length > 0 ? [append({ type: "inbox/restored", messages: batch })] : [];
  return close(putBack(state, batch), phase, { kind: "aborted", cause }, back);
}

export function close(state: AgentState, phase: Running, outcome: TurnEndReason, effects: Effects): AgentStep {
  return {
    state: { ...state, phase: { ...phase, stage: "closing", batch: [], outcome } },
    effects: [...effects, append({ type: "turn/end", turn: phase.turn, reason: outcome })],
  };
}

/** Looks and decides in one transition, so no gap is left between the last look and the exit. */
export function boundary(policy: AgentPolicy, state: AgentState, phase: Running): AgentStep {
  const { outcome, turn } = phase;
  const parks = outcome?.kind === "failed" && policy.afterFailure === "park";
  // Without an outcome only a left-over turn/end was landed: the wake that started this driver has its turn to come.
  const wanted = outcome === null || pending(state).some(wantsTurn);
  if (state.disposed || phase.stop || parks || !wanted) return converge(state, phase, []);
  return open(state, { type: "turn/start", turn: turn + 1 }, []);
}

/** Ends an activity, and replays a latched wake that is still there to be served. */
export function converge(state: AgentState, phase: Running | Maintenance, effects: Effects): AgentStep {
  const idle: AgentState = { ...state, phase: { kind: "idle" } };
  const left: Effects = phase.kind === "running" ? [...effects, { type: "status", status: "idle" }] : effects;
  // The id alone is not enough: it may have been retracted and sent again as context.
  const due = pending(state).some(({ id, wake }) => wake && phase.latched.includes(id));
  if (due && !state.disposed) return startDriver(idle, left);
  const quiet: Effects = [...left, { type: "quiescent" }];
  return { state: idle, effects: state.disposed ? [...quiet, { type: "disposed" }] : quiet };
}

/** Returns a batch to the heads of its lanes, in batch order. */
export function putBack(state: AgentState, batch: readonly Message[]): AgentState {
  return withPending(state, [...batch, ...pending(state)]);
}

/** Names the stage in which a turn record is being written. */
export function stageOf({ type }: TurnRecord): Stage {
  return type === "turn/start" ? "opening" : "closing";
}

function open(state: AgentState, record: TurnRecord, effects: Effects): AgentStep {
  const phase: Running = {
    kind: "running",
    stage: stageOf(record),
    turn: record.turn,
    step: 0,
    batch: [],
    outcome: null,
    natural: false,
    stop: null,
    latched: [],
  };
  return { state: { ...state, phase }, effects: [...effects, append(record)] };
}
