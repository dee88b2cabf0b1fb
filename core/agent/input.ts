import {
  callback,
  type Fields,
  flag,
  integer,
  list,
  object,
  oneOf,
  optional,
  record,
  text,
  variants,
} from "../shape.ts";
import type { AgentInput, AgentRecord, Decision, TurnEndReason } from "./state.ts";

/** What the agent is given at its edge, and the shapes it must have. */

export const messageShape = record({ id: text, lane: oneOf("next-turn", "next-step"), wake: flag });

const reasons: Readonly<Record<TurnEndReason["kind"], Fields>> = {
  completed: {},
  "max-tokens": {},
  blocked: {},
  failed: {},
  aborted: { cause: text },
  interrupted: {},
};
const turnRecords = {
  "turn/start": { turn: integer },
  "turn/end": { turn: integer, reason: variants("kind", reasons) },
};
const records: Readonly<Record<AgentRecord["type"], Fields>> = {
  ...turnRecords,
  "inbox/inserted": { message: messageShape },
  "inbox/removed": { id: text, outcome: oneOf("claimed", "canceled", "blocked"), turn: optional(integer) },
  "inbox/restored": { messages: list(messageShape) },
  "user/message": { turn: integer, step: integer, message: messageShape },
};
export const recordShape = variants("type", records);

const decisions: Readonly<Record<Decision["kind"], Fields>> = {
  enter: { messages: list(messageShape) },
  reject: {},
  failed: {},
};
const decisionShape = variants("kind", decisions);

const maintenance = { activity: text };
const written = { record: variants("type", turnRecords) };
const inputs: Readonly<Record<AgentInput["type"], Fields>> = {
  send: { message: messageShape },
  retract: { id: text },
  cancel: { cause: text, keepInbox: flag },
  dispose: {},
  maintain: maintenance,
  maintained: maintenance,
  written,
  "write-failed": written,
  proposed: { turn: integer, step: integer, decision: decisionShape },
  stepped: { turn: integer, step: integer, outcome: oneOf("continue", "completed", "max-tokens", "failed") },
};
export const inputShape = variants("type", inputs);

export const portsShape = record({
  append: callback,
  propose: callback,
  runStep: callback,
  onStatus: optional(callback),
  onRemoved: optional(callback),
  onError: optional(callback),
});

export const policyShape = record({
  parking: oneOf("unlatched", "all"),
  afterFailure: oneOf("park", "drain"),
  claim: oneOf("one", "all"),
});

/** Stops what is plainly no state; one that `transition` or `restore` returned needs no closer look. */
export const stateShape = record({ phase: object });

export const idleShape = record({ phase: record({ kind: oneOf("idle") }) });
