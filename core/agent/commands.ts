import { startDriver } from "./driver.ts";
import { includesId, insert, isPending, noteCanceled, openBatch, remove } from "./inbox.ts";
import type {
  AgentCommand,
  AgentEffect,
  AgentInput,
  AgentPolicy,
  AgentRefusal,
  AgentState,
  AgentStep,
  Message,
  Phase,
} from "./state.ts";

/** What the application asks for: one function for each command. */
type Command<Type> = Extract<AgentCommand, { readonly type: Type }>;

export function send(state: AgentState, input: Command<"send">): AgentStep {
  const { phase } = state;
  const { id, wake } = input.message;
  if (isPending(state, id) || includesId(openBatch(state), id)) return refuse(state, input, "duplicate-id");
  // Nobody is left to steer after a stop or in closing: the message asks for a turn of its own.
  const late = wake && (isStopped(phase) || (phase.kind === "running" && phase.stage === "closing"));
  const message: Message = late ? { ...input.message, lane: "next-turn" } : input.message;
  const next = insert(state, message);
  const effects: readonly AgentEffect[] = [{ type: "append", record: { type: "inbox/inserted", message } }];
  if (!wake || state.disposed) return { state: next, effects };
  if (phase.kind === "idle") return startDriver(next, effects);
  if (phase.kind === "maintenance" || phase.stop !== null || phase.outcome?.kind === "failed") {
    // The latch: this activity will not look at the inbox again, so converging has to.
    return { state: { ...next, phase: { ...phase, latched: [...phase.latched, id] } }, effects };
  }
  return { state: next, effects };
}

export function retract(state: AgentState, input: Command<"retract">): AgentStep {
  if (!isPending(state, input.id)) return refuse(state, input, "not-pending");
  return { state: remove(state, input.id), effects: [noteCanceled(input)] };
}

export function cancel(policy: AgentPolicy, state: AgentState, input: Command<"cancel">): AgentStep {
  const { cause, keepInbox } = input;
  const { phase } = state;
  const cleared = keepInbox ? [] : [...openBatch(state), ...state.nextStep, ...state.nextTurn];
  const kept = keepInbox ? state : { ...state, nextTurn: [], nextStep: [] };
  const effects = cleared.map(noteCanceled);
  // At idle there is nothing to stop, and nothing is armed against work that comes later.
  if (phase.kind === "idle") return { state: kept, effects };
  const latched = keepInbox && policy.parking === "unlatched" ? phase.latched : [];
  const emptied = keepInbox || phase.kind === "maintenance" ? phase : { ...phase, batch: [] };
  return {
    state: { ...kept, phase: { ...emptied, stop: phase.stop ?? { cause }, latched } },
    effects: phase.stop === null ? [...effects, { type: "abort", cause }] : effects,
  };
}

export function dispose(state: AgentState): AgentStep {
  if (state.disposed) return { state, effects: [] };
  const { phase } = state;
  if (phase.kind === "idle") return { state: { ...state, disposed: true }, effects: [{ type: "disposed" }] };
  const cause = "disposed";
  return {
    state: { ...state, phase: { ...phase, stop: phase.stop ?? { cause }, latched: [] }, disposed: true },
    effects: phase.stop === null ? [{ type: "abort", cause }] : [],
  };
}

export function maintain(state: AgentState, input: Command<"maintain">): AgentStep {
  if (state.disposed) return refuse(state, input, "disposed");
  if (state.phase.kind !== "idle") return refuse(state, input, "busy");
  if (state.unwritten !== null) return refuse(state, input, "unwritten");
  const { activity } = input;
  return {
    state: { ...state, phase: { kind: "maintenance", activity, stop: null, latched: [] } },
    effects: [{ type: "run-maintenance", activity }],
  };
}

function isStopped(phase: Phase): boolean {
  return phase.kind !== "idle" && phase.stop !== null;
}

function refuse(state: AgentState, input: AgentInput, reason: AgentRefusal): AgentStep {
  return { state, effects: [{ type: "refused", input, reason }] };
}
