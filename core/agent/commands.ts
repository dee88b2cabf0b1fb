import { startDriver } from "./driver.ts";
import { append, held, includesId, noteRemoved, pending, withoutId, withPending } from "./inbox.ts";
import type {
  AgentCommand,
  AgentEffect,
  AgentInput,
  AgentPolicy,
  AgentRefusal,
  AgentState,
  AgentStep,
  Maintenance,
  Message,
  Running,
} from "./state.ts";

/** What the application asks for: one function for each command. */
type Command<Type> = Extract<AgentCommand, { readonly type: Type }>;

export function send(state: AgentState, input: Command<"send">): AgentStep {
  const { phase } = state;
  const { id, wake } = input.message;
  if (includesId(held(state), id)) return refuse(state, input, "duplicate-id");
  const stopped = phase.kind !== "idle" && phase.stop !== null;
  // Nobody is left to steer after a stop or in closing: the message asks for a turn of its own.
  const late = wake && (stopped || (phase.kind === "running" && phase.stage === "closing"));
  const message: Message = late ? { ...input.message, lane: "next-turn" } : input.message;
  const next = withPending(state, [...pending(state), message]);
  const effects = [append({ type: "inbox/inserted", message })];
  if (!wake || state.disposed) return { state: next, effects };
  if (phase.kind === "idle") return startDriver(next, effects);
  if (phase.kind === "maintenance" || stopped || phase.outcome?.kind === "failed") {
    // The latch: this activity will not look at the inbox again, so converging has to.
    return { state: { ...next, phase: { ...phase, latched: [...phase.latched, id] } }, effects };
  }
  return { state: next, effects };
}

export function retract(state: AgentState, input: Command<"retract">): AgentStep {
  const messages = pending(state);
  if (!includesId(messages, input.id)) return refuse(state, input, "not-pending");
  return {
    state: withPending(state, withoutId(messages, input.id)),
    effects: noteRemoved([input], { outcome: "canceled" }),
  };
}

export function cancel(policy: AgentPolicy, state: AgentState, input: Command<"cancel">): AgentStep {
  const { cause, keepInbox } = input;
  const { phase } = state;
  const cleared = keepInbox ? [] : held(state);
  const kept = keepInbox ? state : withPending(state, []);
  const effects = noteRemoved(cleared, { outcome: "canceled" });
  // At idle there is nothing to stop, and nothing is armed against work that comes later.
  if (phase.kind === "idle") return { state: kept, effects };
  const latched = keepInbox && policy.parking === "unlatched" ? phase.latched : [];
  const emptied = keepInbox || phase.kind === "maintenance" ? phase : { ...phase, batch: [] };
  return stop(kept, { ...emptied, latched }, cause, effects);
}

export function dispose(state: AgentState): AgentStep {
  const { phase } = state;
  if (state.disposed) return { state, effects: [] };
  const disposed = { ...state, disposed: true };
  if (phase.kind === "idle") return { state: disposed, effects: [{ type: "disposed" }] };
  return stop(disposed, { ...phase, latched: [] }, "disposed", []);
}

export function maintain(state: AgentState, input: Command<"maintain">): AgentStep {
  const { activity } = input;
  if (state.disposed) return refuse(state, input, "disposed");
  if (state.phase.kind !== "idle") return refuse(state, input, "busy");
  if (state.unwritten) return refuse(state, input, "unwritten");
  return {
    state: { ...state, phase: { kind: "maintenance", activity, stop: null, latched: [] } },
    effects: [{ type: "run-maintenance", activity }],
  };
}

/** Only the first stop of an activity bites, and its cause stays. */
function stop(
  state: AgentState,
  phase: Running | Maintenance,
  cause: string,
  effects: readonly AgentEffect[],
): AgentStep {
  if (phase.stop) return { state: { ...state, phase }, effects };
  return { state: { ...state, phase: { ...phase, stop: { cause } } }, effects: [...effects, { type: "abort", cause }] };
}

function refuse(state: AgentState, input: AgentInput, reason: AgentRefusal): AgentStep {
  return { state, effects: [{ type: "refused", input, reason }] };
}
