/** Inputs in words, for counterexamples. */
import type { Decision, Message, TurnRecord } from "../../../core/agent/state.ts";
import { presets } from "../script.ts";
import type { WorldInput } from "./world.ts";

export function describeInput(input: WorldInput): string {
  switch (input.type) {
    case "send":
      return `${presetOf(input.message)} ${input.message.id}`;
    case "retract":
      return `retract ${input.id}`;
    case "cancel":
      return `cancel, ${input.keepInbox ? "keep the inbox" : "clear the inbox"}`;
    case "dispose":
      return "dispose";
    case "maintain":
      return `maintain ${input.activity}`;
    case "maintained":
      return `maintained ${input.activity}`;
    case "written":
      return `written ${describeRecord(input.record)}`;
    case "write-failed":
      return `refused ${describeRecord(input.record)}`;
    case "proposed":
      return `proposed ${input.turn}.${input.step} ${describeDecision(input.decision)}`;
    case "stepped":
      return `stepped ${input.turn}.${input.step} ${input.outcome}`;
    case "late":
      return `late: ${describeInput(input.report)}`;
    case "crash":
      return input.landed ? "crash, the record has landed" : "crash";
  }
}

function presetOf({ lane, wake }: Message): string {
  const found = Object.entries(presets).find(([, preset]) => preset.lane === lane && preset.wake === wake);
  return found?.[0] ?? "send";
}

function describeRecord(record: TurnRecord): string {
  return record.type === "turn/start" ? `start ${record.turn}` : `end ${record.turn} ${record.reason.kind}`;
}

function describeDecision(decision: Decision): string {
  return decision.kind === "enter" ? `enter [${decision.messages.map(({ id }) => id).join(", ")}]` : decision.kind;
}
