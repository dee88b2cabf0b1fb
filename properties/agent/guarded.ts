/**
 * The ports in front of somebody else's agent: what is no call of a port at all goes no further, because nothing that
 * is judged would be about it. The agent gets an error, as from any port, and `complain` what was wrong.
 */
import { outline } from "../../sim/outline.ts";
import type { AgentPorts } from "./ports.ts";

const shown = 80;

export function guarded(ports: AgentPorts, complain: (what: string) => void): AgentPorts {
  const refuse = (port: string, expected: string, found: unknown): Error => {
    const what = `${port} was given ${outline(found, shown)}; expected ${expected}`;
    complain(what);
    return new TypeError(what);
  };
  return {
    append(record) {
      return isRecord(record) ? ports.append(record) : Promise.reject(refuse("append()", "a record or a note", record));
    },
    propose(step) {
      return isStep(step) ? ports.propose(step) : Promise.reject(refuse("propose()", aStep, step));
    },
    runStep(step) {
      return isStep(step) ? ports.runStep(step) : Promise.reject(refuse("runStep()", aStep, step));
    },
    onStatus(status) {
      if (status !== "idle" && status !== "running") throw refuse("onStatus()", '"idle" or "running"', status);
      ports.onStatus(status);
    },
    onRemoved(message, outcome) {
      if (!isMessage(message)) throw refuse("onRemoved()", "a message", message);
      if (!outcomes.includes(outcome)) throw refuse("onRemoved()", outcomes.join(", "), outcome);
      ports.onRemoved(message, outcome);
    },
  };
}

const aStep = "{ turn, step, messages, signal }";
const outcomes: readonly unknown[] = ["claimed", "canceled", "blocked"];

function isRecord(value: unknown): boolean {
  if (!isObject(value)) return false;
  switch (value.type) {
    case "turn/start":
      return typeof value.turn === "number";
    case "turn/end":
      return typeof value.turn === "number" && isObject(value.reason) && typeof value.reason.kind === "string";
    case "inbox/inserted":
    case "user/message":
      return isMessage(value.message);
    case "inbox/removed":
      return typeof value.id === "string";
    case "inbox/restored":
      return areMessages(value.messages);
    default:
      return false;
  }
}

function isStep(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.turn === "number" &&
    typeof value.step === "number" &&
    areMessages(value.messages) &&
    isObject(value.signal)
  );
}

function areMessages(value: unknown): boolean {
  return Array.isArray(value) && value.every(isMessage);
}

function isMessage(value: unknown): boolean {
  return isObject(value) && typeof value.id === "string";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
