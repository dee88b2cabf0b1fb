import { isStopped, startDriver } from "./driver.ts";
import { append, held, includesId, noteRemoved, pending, withoutId, withPending } from "./inbox.ts";
import type { Effects, Rules } from "./rule.ts";
import type { AgentCommand, AgentState, Message, Phase } from "./state.ts";

/** What the application asks for. */
export const commands: Rules<AgentCommand["type"]> = {
  send(state, effects, input) {
    const { phase } = state;
    const { id, wake } = input.message;
    if (includesId(held(state), id)) return "duplicate-id";
    const stopped = isStopped(state);
    // Nobody is left to steer after a stop or in closing: the message asks for a turn of its own.
    const late = wake && (stopped || (phase.kind === "running" && phase.stage === "closing"));
    const message: Message = late ? { ...input.message, lane: "next-turn" } : input.message;
    const next = withPending(state, [...pending(state), message]);
    append(effects, { type: "inbox/inserted", message });
    if (!wake || state.disposed) return next;
    if (phase.kind === "idle") return startDriver(next, effects);
    if (phase.kind === "maintenance" || stopped || phase.outcome?.kind === "failed") {
      // The latch: this activity will not look at the inbox again, so converging has to.
      return { ...next, phase: { ...phase, latched: [...phase.latched, id] } };
    }
    return next;
  },

  retract(state, effects, input) {
    if (!includesId(pending(state), input.id)) return "not-pending";
    noteRemoved(effects, [input], { outcome: "canceled" });
    return withPending(state, withoutId(pending(state), input.id));
  },

  cancel(state, effects, { cause, keepInbox }, policy) {
    if (keepInbox) return stop(state, effects, cause, policy.parking === "all");
    noteRemoved(effects, held(state), { outcome: "canceled" });
    const phase: Phase = state.phase.kind === "running" ? { ...state.phase, batch: [] } : state.phase;
    return stop({ ...state, phase, nextTurn: [], nextStep: [] }, effects, cause, true);
  },

  dispose(state, effects) {
    if (state.disposed) return state;
    if (state.phase.kind === "idle") effects.push({ type: "disposed" });
    return stop({ ...state, disposed: true }, effects, "disposed", true);
  },

  maintain(state, effects, { activity }) {
    if (state.disposed) return "disposed";
    if (state.phase.kind !== "idle") return "busy";
    if (state.unwritten) return "unwritten";
    effects.push({ type: "run-maintenance", activity });
    return { ...state, phase: { kind: "maintenance", activity, stop: null, latched: [] } };
  },
};

/** Only the first stop of an activity bites, and its cause stays; one that parks unlatches what came before it. */
function stop(state: AgentState, effects: Effects, cause: string, parks: boolean): AgentState {
  const { phase } = state;
  // At idle there is nothing to stop, and nothing is armed against work that comes later.
  if (phase.kind === "idle") return state;
  if (!phase.stop) effects.push({ type: "abort", cause });
  return { ...state, phase: { ...phase, stop: phase.stop ?? { cause }, latched: parks ? [] : phase.latched } };
}
