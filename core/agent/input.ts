import { list, rule, variants } from "../shape.ts";
import type { AgentInput, AgentRecord, Decision, TurnEndReason, TurnRecord } from "./state.ts";

/** What the agent is given at its edge, and the shapes it must have. */

const integer = rule("integer", Number.isInteger);

export const messageShape = { id: "string", lane: ["next-turn", "next-step"], wake: "boolean" };
const messages = list(messageShape);

const turnRecords = {
  "turn/start": { turn: integer },
  "turn/end": {
    turn: integer,
    reason: variants<TurnEndReason["kind"]>("kind", {
      completed: {},
      "max-tokens": {},
      blocked: {},
      failed: {},
      aborted: { cause: "string" },
      interrupted: {},
    }),
  },
};
export const recordShape = variants<AgentRecord["type"]>("type", {
  ...turnRecords,
  "inbox/inserted": { message: messageShape },
  "inbox/removed": { id: "string", outcome: ["claimed", "canceled", "blocked"], turn: "number or undefined" },
  "inbox/restored": { messages },
  "user/message": { turn: integer, step: integer, message: messageShape },
});

const maintenance = { activity: "string" };
const written = { record: variants<TurnRecord["type"]>("type", turnRecords) };
export const inputShape = variants<AgentInput["type"]>("type", {
  send: { message: messageShape },
  retract: { id: "string" },
  cancel: { cause: "string", keepInbox: "boolean" },
  dispose: {},
  maintain: maintenance,
  maintained: maintenance,
  written,
  "write-failed": written,
  proposed: {
    turn: integer,
    step: integer,
    decision: variants<Decision["kind"]>("kind", { enter: { messages }, reject: {}, failed: {} }),
  },
  stepped: { turn: integer, step: integer, outcome: ["continue", "completed", "max-tokens", "failed"] },
});

export const portsShape = {
  append: "function",
  propose: "function",
  runStep: "function",
  onStatus: "function or undefined",
  onRemoved: "function or undefined",
  onError: "function or undefined",
};

export const policyShape = {
  parking: ["unlatched", "all"],
  afterFailure: ["park", "drain"],
  claim: ["one", "all"],
};

/** Stops what is plainly no state; one that `transition` or `restore` returned needs no closer look. */
export const stateShape = { phase: {} };

export const idleShape = { phase: { kind: ["idle"] } };
