import type { AgentInput, AgentPolicy, AgentState, Decision, Message, TurnRecord } from "./state.ts";

/**
 * The edge of the agent: callers without types are stopped here, before anything changes, so that the rules behind it
 * may trust what they are given. On the valid path this is a handful of comparisons.
 */

/** Reports a value of the wrong shape: a mistake of the caller. */
export class AgentInputError extends Error {
  override readonly name = "AgentInputError";
}

export function checkInput(input: AgentInput): void {
  checkType("input", input, "object");
  switch (input.type) {
    case "send":
      checkMessage(input.message);
      break;
    case "retract":
      checkType("id", input.id, "string");
      break;
    case "cancel":
      checkType("cause", input.cause, "string");
      checkType("keepInbox", input.keepInbox, "boolean");
      break;
    case "dispose":
      break;
    case "maintain":
    case "maintained":
      checkType("activity", input.activity, "string");
      break;
    case "written":
    case "write-failed":
      checkTurnRecord(input.record);
      break;
    case "proposed":
      checkPlace(input);
      checkDecision(input.decision);
      break;
    case "stepped":
      checkPlace(input);
      if (input.outcome !== "failed") checkOutcome(input.outcome);
      break;
    default:
      unknownType(input);
  }
}

export function checkMessage(message: Message): void {
  checkType("message", message, "object");
  checkType("message.id", message.id, "string");
  checkOption("message.lane", message.lane, lanes);
  checkType("message.wake", message.wake, "boolean");
}

export function checkTurnRecord(record: TurnRecord): void {
  checkType("record", record, "object");
  checkOption("record.type", record.type, recordTypes);
  checkInteger("record.turn", record.turn);
  if (record.type === "turn/start") return;
  const { reason } = record;
  checkType("record.reason", reason, "object");
  checkOption("record.reason.kind", reason.kind, endings);
  if (reason.kind === "aborted") checkType("record.reason.cause", reason.cause, "string");
}

export function checkDecision(decision: Decision): void {
  checkType("decision", decision, "object");
  checkOption("decision.kind", decision.kind, decisions);
  if (decision.kind !== "enter") return;
  if (!Array.isArray(decision.messages)) wrong("decision.messages", "array", decision.messages);
  for (const message of decision.messages) checkMessage(message);
}

export function checkOutcome(outcome: string): void {
  checkOption("outcome", outcome, outcomes);
}

export function checkPolicy(policy: AgentPolicy): void {
  checkType("policy", policy, "object");
  checkOption("policy.parking", policy.parking, parkings);
  checkOption("policy.afterFailure", policy.afterFailure, reactions);
  checkOption("policy.claim", policy.claim, claims);
}

/** Stops what is plainly no state; one that `transition` or `restore` returned needs no closer look. */
export function checkState(state: AgentState): void {
  checkType("state", state, "object");
  checkType("state.phase", state.phase, "object");
}

export function checkType(what: string, value: unknown, type: "string" | "boolean" | "object" | "function"): void {
  if (typeof value !== type || value === null) wrong(what, type, value);
}

export function wrong(what: string, expected: string, found: unknown): never {
  throw new AgentInputError(`Cannot use ${what}: expected ${expected}, found ${describe(found)}; correct the call`);
}

const lanes = ["next-turn", "next-step"];
const recordTypes = ["turn/start", "turn/end"];
const endings = ["completed", "max-tokens", "blocked", "failed", "aborted", "interrupted"];
const decisions = ["enter", "reject", "failed"];
const outcomes = ["continue", "completed", "max-tokens"];
const parkings = ["unlatched", "all"];
const reactions = ["park", "drain"];
const claims = ["one", "all"];

function checkPlace({ turn, step }: { readonly turn: number; readonly step: number }): void {
  checkInteger("turn", turn);
  checkInteger("step", step);
}

function checkInteger(what: string, value: number): void {
  if (!Number.isInteger(value)) wrong(what, "integer", value);
}

function checkOption(what: string, value: string, options: readonly string[]): void {
  if (!options.includes(value)) wrong(what, options.join(" or "), value);
}

function unknownType({ type }: { readonly type?: unknown }): never {
  wrong("input.type", "command or report of the agent", type);
}

// String() of an object may run foreign code or throw, so objects are named by kind only.
function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  return value !== null && (typeof value === "object" || typeof value === "function") ? typeof value : String(value);
}
