import { assertNever } from "../assert.ts";
import { boundary, claim, close, closeStopped, converge } from "./driver.ts";
import { append, includesId, noteRemoved, pending } from "./inbox.ts";
import type {
  AgentEffect,
  AgentPolicy,
  AgentReport,
  AgentState,
  AgentStep,
  Message,
  Running,
  TurnEndReason,
} from "./state.ts";

/** What the host answers: one function for each report that matches the live activity. */
type Report<Type> = Extract<AgentReport, { readonly type: Type }>;

export function written(policy: AgentPolicy, state: AgentState, phase: Running): AgentStep {
  if (phase.stage === "closing") return boundary(policy, state, phase);
  const started: AgentState = { ...state, lastTurn: phase.turn };
  if (phase.stop) return closeStopped(started, phase, phase.stop);
  return claim(started, phase, policy.claim === "all" ? state.nextTurn.length : 1);
}

/** The next driver writes the same record first. A latched wake retries at once. */
export function writeFailed(state: AgentState, phase: Running, { record }: Report<"write-failed">): AgentStep {
  return converge({ ...state, unwritten: record }, phase, [{ type: "fault", record }]);
}

/** Whatever was decided, what does not enter the step is blocked. */
export function proposed(state: AgentState, phase: Running, input: Report<"proposed">): AgentStep {
  const { turn, step, batch } = phase;
  const { decision } = input;
  if (phase.stop) return closeStopped(state, phase, phase.stop);
  const entered: Message[] = [];
  const effects: AgentEffect[] = [];
  for (const message of decision.kind === "enter" ? decision.messages : []) {
    // A message that is still pending would run twice; one that is named twice enters once.
    if (includesId(pending(state), message.id)) effects.push({ type: "refused", input, reason: "still-pending" });
    else if (!includesId(entered, message.id)) entered.push(message);
  }
  const blocked = batch.filter(({ id }) => !includesId(entered, id));
  effects.push(...noteRemoved(blocked, { outcome: "blocked", turn }));
  if (decision.kind === "reject") return close(state, phase, { kind: "blocked" }, effects);
  if (decision.kind === "failed") return close(state, phase, { kind: "failed" }, effects);
  // Nothing to say and no tool to answer: the turn is over and spends no model call.
  if (entered.length === 0 && (step === 1 || phase.natural)) {
    return close(state, phase, sticky(phase, "completed"), effects);
  }
  effects.push(...entered.map((message) => append({ type: "user/message", turn, step, message })), {
    type: "run-step",
    turn,
    step,
    messages: entered,
  });
  return { state: { ...state, phase: { ...phase, stage: "stepping", batch: [] } }, effects };
}

export function stepped(state: AgentState, phase: Running, { outcome }: Report<"stepped">): AgentStep {
  if (phase.stop) return closeStopped(state, phase, phase.stop);
  switch (outcome) {
    case "failed":
      return close(state, phase, { kind: outcome }, []);
    case "continue":
      // Tools ran and must be answered, whether or not somebody has something to add.
      return claim(state, { ...phase, natural: false }, 0);
    case "completed":
    case "max-tokens": {
      const reason = sticky(phase, outcome);
      const natural: Running = { ...phase, natural: true, outcome: reason };
      // Context that was only injected waits for the next claim; it adds no step to a finished turn.
      const steered = state.nextStep.some((message) => message.wake);
      return steered ? claim(state, natural, 0) : close(state, natural, reason, []);
    }
    default:
      return assertNever(outcome);
  }
}

/** A turn that once ran out of tokens says so at its end. */
function sticky({ outcome }: Running, kind: "completed" | "max-tokens"): TurnEndReason {
  return outcome?.kind === "max-tokens" ? outcome : { kind };
}
