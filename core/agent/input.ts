import { callback, type Fields, oneOf, type Rule, variants } from "../shape.ts";
import type { AgentInput, AgentRecord, Decision, TurnEndReason, TurnRecord } from "./state.ts";

/** What the agent is given at its edge, and the shapes it must have. */

const integer: Rule = (value) => Number.isInteger(value) || "integer";
export const observer: Rule = (value) => value === undefined || callback(value);

export const messageShape: Fields = { id: "", lane: oneOf("next-turn", "next-step"), wake: false };

const turnRecords: Readonly<Record<TurnRecord["type"], Fields>> = {
  "turn/start": { turn: integer },
  "turn/end": {
    turn: integer,
    reason: variants<TurnEndReason["kind"]>("kind", {
      completed: {},
      "max-tokens": {},
      blocked: {},
      failed: {},
      aborted: { cause: "" },
      interrupted: {},
    }),
  },
};
export const recordShape = variants<AgentRecord["type"]>("type", {
  ...turnRecords,
  "inbox/inserted": { message: messageShape },
  "inbox/removed": { id: "", outcome: oneOf("claimed", "canceled", "blocked") },
  "inbox/restored": { messages: [messageShape] },
  "user/message": { turn: integer, step: integer, message: messageShape },
});

const maintenance: Fields = { activity: "" };
const written = { record: variants<TurnRecord["type"]>("type", turnRecords) };
export const inputShape = variants<AgentInput["type"]>("type", {
  send: { message: messageShape },
  retract: { id: "" },
  cancel: { cause: "", keepInbox: false },
  dispose: {},
  maintain: maintenance,
  maintained: maintenance,
  written,
  "write-failed": written,
  proposed: {
    turn: integer,
    step: integer,
    decision: variants<Decision["kind"]>("kind", { enter: { messages: [messageShape] }, reject: {}, failed: {} }),
  },
  stepped: { turn: integer, step: integer, outcome: oneOf("continue", "completed", "max-tokens", "failed") },
});

export const policyShape = {
  parking: oneOf("unlatched", "all"),
  afterFailure: oneOf("park", "drain"),
  claim: oneOf("one", "all"),
};
