import { assertNever } from "../assert.ts";
import { cancel, dispose, maintain, retract, send } from "./commands.ts";
import { converge, stageOf } from "./driver.ts";
import { checkArguments, inputShape } from "./input.ts";
import { proposed, stepped, writeFailed, written } from "./reports.ts";
import type { AgentInput, AgentPolicy, AgentState, AgentStep, Phase, Running, Stage } from "./state.ts";

/**
 * The table of the agent: every input, and which rule takes it. Commands always have a rule (`commands.ts`); a report
 * has one only while it matches the live activity (`reports.ts`). What drivers do stands in `driver.ts`.
 */

export const initialState: AgentState = {
  phase: { kind: "idle" },
  nextTurn: [],
  nextStep: [],
  lastTurn: 0,
  unwritten: null,
  disposed: false,
};

export const defaultPolicy: AgentPolicy = { parking: "unlatched", afterFailure: "park", claim: "one" };

/** Moves the agent by one input. The host performs the returned effects, in order. Throws `InputError` for a wrong shape. */
export function transition(policy: AgentPolicy, state: AgentState, input: AgentInput): AgentStep {
  checkArguments(policy, state);
  inputShape("input", input);
  const { phase } = state;
  switch (input.type) {
    case "send":
      return send(state, input);
    case "retract":
      return retract(state, input);
    case "cancel":
      return cancel(policy, state, input);
    case "dispose":
      return dispose(state);
    case "maintain":
      return maintain(state, input);
    case "maintained":
      if (phase.kind !== "maintenance" || phase.activity !== input.activity) break;
      return converge(state, phase, []);
    case "written":
      if (!isAt(phase, stageOf(input.record), input.record.turn)) break;
      return written(policy, state, phase);
    case "write-failed":
      if (!isAt(phase, stageOf(input.record), input.record.turn)) break;
      return writeFailed(state, phase, input);
    case "proposed":
      if (!isAt(phase, "proposing", input.turn, input.step)) break;
      return proposed(state, phase, input);
    case "stepped":
      if (!isAt(phase, "stepping", input.turn, input.step)) break;
      return stepped(state, phase, input);
    default:
      return assertNever(input);
  }
  // An old turn's late clean-up can never touch its successor: a report that does not match changes nothing.
  return { state, effects: [{ type: "stale", input }] };
}

/** Tells whether a report is about the live turn; while a turn record is written, its step is of no interest. */
function isAt(phase: Phase, stage: Stage, turn: number, step?: number): phase is Running {
  if (phase.kind !== "running" || phase.stage !== stage) return false;
  return phase.turn === turn && (step === undefined || phase.step === step);
}
