import { assertNever } from "../assert.ts";
import { cancel, dispose, maintain, retract, send } from "./commands.ts";
import { converge } from "./driver.ts";
import { checkInput, checkPolicy, checkState } from "./input.ts";
import { proposed, stepped, writeFailed, written } from "./reports.ts";
import type {
  AgentInput,
  AgentPolicy,
  AgentReport,
  AgentState,
  AgentStep,
  Phase,
  Running,
  Stage,
  TurnRecord,
} from "./state.ts";

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

/** Moves the agent by one input. The host performs the returned effects, in order. Throws `AgentInputError` for a wrong shape. */
export function transition(policy: AgentPolicy, state: AgentState, input: AgentInput): AgentStep {
  checkPolicy(policy);
  checkState(state);
  checkInput(input);
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
    default:
      return report(policy, state, input);
  }
}

/** An old turn's late clean-up can never touch its successor: a report that does not match changes nothing. */
function report(policy: AgentPolicy, state: AgentState, input: AgentReport): AgentStep {
  const { phase } = state;
  switch (input.type) {
    case "maintained":
      if (phase.kind !== "maintenance" || phase.activity !== input.activity) break;
      return converge(state, phase, []);
    case "written":
      if (!isWriting(phase, input.record)) break;
      return written(policy, state, phase);
    case "write-failed":
      if (!isWriting(phase, input.record)) break;
      return writeFailed(state, phase, input);
    case "proposed":
      if (!isAt(phase, "proposing", input)) break;
      return proposed(state, phase, input);
    case "stepped":
      if (!isAt(phase, "stepping", input)) break;
      return stepped(policy, state, phase, input);
    default:
      return assertNever(input);
  }
  return { state, effects: [{ type: "stale", input }] };
}

function isWriting(phase: Phase, { type, turn }: TurnRecord): phase is Running {
  const stage = type === "turn/start" ? "opening" : "closing";
  return phase.kind === "running" && phase.stage === stage && phase.turn === turn;
}

function isAt(phase: Phase, stage: Stage, at: { readonly turn: number; readonly step: number }): phase is Running {
  return phase.kind === "running" && phase.stage === stage && phase.turn === at.turn && phase.step === at.step;
}
