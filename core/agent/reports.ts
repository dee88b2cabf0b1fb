import { boundary, claim, close, closeStopped, converge, stageOf } from "./driver.ts";
import { append, includesId, noteRemoved, pending } from "./inbox.ts";
import type { Rules } from "./rule.ts";
import type { AgentReport, AgentState, Message, Running, Stage } from "./state.ts";

/** What the host answers. */
export const reports: Rules<AgentReport["type"]> = {
  maintained(state, effects, input) {
    const { phase } = state;
    if (phase.kind !== "maintenance" || phase.activity !== input.activity) return undefined;
    return converge(state, effects, phase);
  },

  written(state, effects, { record }, policy) {
    const phase = live(state, stageOf(record), record);
    if (!phase) return undefined;
    if (phase.stage === "closing") return boundary(state, effects, phase, policy);
    const started: AgentState = { ...state, lastTurn: phase.turn };
    if (phase.stop) return closeStopped(started, effects, phase, phase.stop);
    return claim(started, effects, phase, policy.claim === "all" ? Infinity : 1);
  },

  /** The next driver writes the same record first. A latched wake retries at once. */
  "write-failed"(state, effects, { record }) {
    const phase = live(state, stageOf(record), record);
    if (!phase) return undefined;
    effects.push({ type: "fault", record });
    return converge({ ...state, unwritten: record }, effects, phase);
  },

  /** Whatever was decided, what does not enter the step is blocked. */
  proposed(state, effects, input) {
    const phase = live(state, "proposing", input);
    if (!phase) return undefined;
    if (phase.stop) return closeStopped(state, effects, phase, phase.stop);
    const { turn, step, batch } = phase;
    const { decision } = input;
    const entered: Message[] = [];
    for (const message of decision.kind === "enter" ? decision.messages : []) {
      // A message that is still pending would run twice; one that is named twice enters once.
      if (includesId(pending(state), message.id)) effects.push({ type: "refused", input, reason: "still-pending" });
      else if (!includesId(entered, message.id)) entered.push(message);
    }
    const blocked = batch.filter(({ id }) => !includesId(entered, id));
    noteRemoved(effects, blocked, { outcome: "blocked", turn });
    if (decision.kind === "reject") return close(state, effects, phase, { kind: "blocked" });
    if (decision.kind === "failed") return close(state, effects, phase, { kind: "failed" });
    // Nothing to say and no tool to answer: the turn is over and spends no model call.
    if (entered.length === 0 && (step === 1 || phase.natural)) {
      return close(state, effects, phase, phase.outcome ?? { kind: "completed" });
    }
    for (const message of entered) append(effects, { type: "user/message", turn, step, message });
    effects.push({ type: "run-step", turn, step, messages: entered });
    return { ...state, phase: { ...phase, stage: "stepping", batch: [] } };
  },

  stepped(state, effects, input) {
    const phase = live(state, "stepping", input);
    if (!phase) return undefined;
    if (phase.stop) return closeStopped(state, effects, phase, phase.stop);
    const { outcome } = input;
    if (outcome === "failed") return close(state, effects, phase, { kind: outcome });
    // Tools ran and must be answered, whether or not somebody has something to add.
    if (outcome === "continue") return claim(state, effects, { ...phase, natural: false }, 0);
    // A turn that once ran out of tokens says so at its end.
    const reason = phase.outcome?.kind === "max-tokens" ? phase.outcome : { kind: outcome };
    const natural: Running = { ...phase, natural: true, outcome: reason };
    // Context that was only injected waits for the next claim; it adds no step to a finished turn.
    const steered = state.nextStep.some(({ wake }) => wake);
    return steered ? claim(state, effects, natural, 0) : close(state, effects, natural, reason);
  },
};

type Place = { readonly turn: number; readonly step?: number };

/** The phase that a report is about, if it is the live one; while a turn record is written, the step is of no interest. */
function live({ phase }: AgentState, stage: Stage, { turn, step }: Place): Running | undefined {
  const same = phase.kind === "running" && phase.stage === stage && phase.turn === turn;
  return same && phase.step === (step ?? phase.step) ? phase : undefined;
}
