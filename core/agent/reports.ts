import { assertNever } from "../assert.ts";
import { boundary, claim, close, converge, giveBatchBack } from "./driver.ts";
import { includesId, isPending, noteRemoved } from "./inbox.ts";
import type {
  AgentEffect,
  AgentPolicy,
  AgentReport,
  AgentState,
  AgentStep,
  Message,
  Running,
  Stop,
  TurnEndReason,
} from "./state.ts";

/** What the host answers: one function for each report that matches the live activity. */
type Report<Type> = Extract<AgentReport, { readonly type: Type }>;

export function written(policy: AgentPolicy, state: AgentState, phase: Running): AgentStep {
  if (phase.stage === "closing") return boundary(policy, state, phase);
  const started: AgentState = { ...state, lastTurn: phase.turn };
  if (phase.stop !== null) return close(started, phase, aborted(phase.stop), []);
  return claim(policy, started, phase, "next-turn");
}

/** The next driver writes the same record first. A latched wake retries at once. */
export function writeFailed(state: AgentState, phase: Running, { record }: Report<"write-failed">): AgentStep {
  return converge({ ...state, unwritten: record }, phase, [{ type: "fault", record }]);
}

export function proposed(state: AgentState, phase: Running, input: Report<"proposed">): AgentStep {
  if (phase.stop !== null) {
    const back = giveBatchBack(state, phase);
    return close(back.state, phase, aborted(phase.stop), back.effects);
  }
  switch (input.decision.kind) {
    case "reject":
      return close(state, phase, { kind: "blocked" }, noteRemoved(phase.batch, "blocked", phase.turn));
    case "failed":
      return close(state, phase, { kind: "failed" }, noteRemoved(phase.batch, "blocked", phase.turn));
    case "enter":
      return enter(state, phase, input, input.decision.messages);
    default:
      return assertNever(input.decision);
  }
}

export function stepped(
  policy: AgentPolicy,
  state: AgentState,
  phase: Running,
  { outcome }: Report<"stepped">,
): AgentStep {
  if (phase.stop !== null) return close(state, phase, aborted(phase.stop), []);
  switch (outcome) {
    case "failed":
      return close(state, phase, { kind: "failed" }, []);
    case "continue":
      // Tools ran and must be answered, whether or not somebody has something to add.
      return claim(policy, state, { ...phase, natural: false }, "next-step");
    case "completed":
    case "max-tokens": {
      const reason = sticky(phase, outcome);
      const natural: Running = { ...phase, natural: true, outcome: reason };
      // Context that was only injected waits for the next claim; it adds no step to a finished turn.
      const steered = state.nextStep.some((message) => message.wake);
      return steered ? claim(policy, state, natural, "next-step") : close(state, natural, reason, []);
    }
    default:
      return assertNever(outcome);
  }
}

function enter(state: AgentState, phase: Running, input: Report<"proposed">, messages: readonly Message[]): AgentStep {
  const { turn, step } = phase;
  const entered: Message[] = [];
  const effects: AgentEffect[] = [];
  for (const message of messages) {
    // A message that is still pending would run twice; one that is named twice enters once.
    if (isPending(state, message.id)) effects.push({ type: "refused", input, reason: "still-pending" });
    else if (!includesId(entered, message.id)) entered.push(message);
  }
  const blocked = phase.batch.filter(({ id }) => !includesId(entered, id));
  effects.push(...noteRemoved(blocked, "blocked", turn));
  // Nothing to say and no tool to answer: the turn is over and spends no model call.
  if (entered.length === 0 && (step === 1 || phase.natural)) {
    return close(state, phase, sticky(phase, "completed"), effects);
  }
  for (const message of entered)
    effects.push({ type: "append", record: { type: "user/message", turn, step, message } });
  effects.push({ type: "run-step", turn, step, messages: entered });
  return { state: { ...state, phase: { ...phase, stage: "stepping", batch: [] } }, effects };
}

function aborted({ cause }: Stop): TurnEndReason {
  return { kind: "aborted", cause };
}

/** A turn that once ran out of tokens says so at its end. */
function sticky({ outcome }: Running, kind: "completed" | "max-tokens"): TurnEndReason {
  return outcome?.kind === "max-tokens" ? outcome : { kind };
}
