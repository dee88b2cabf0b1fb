import type { AgentCommand } from "../../core/agent/state.ts";
import { outsideOf, type Script, type ScriptStep } from "./script.ts";
import type { Word } from "./words.ts";

/** The parts of the contract that a script makes use of. */
export function needsOf(script: Script): readonly Word[] {
  return [...new Set(script.flatMap(needsOfStep))];
}

function needsOfStep(step: ScriptStep): readonly Word[] {
  switch (step.type) {
    case "outside": {
      const { slow = [], mayFail = [] } = outsideOf([step]);
      // Whoever does not wait for storage has records in flight side by side where it is slow.
      return [...slow, ...mayFail].some((what) => what === "notes" || what === "turn-records") ? ["write-faults"] : [];
    }
    case "write-failed":
      return ["write-faults"];
    case "inside":
      return needsOfCommand(step.do);
    case "send":
    case "retract":
    case "cancel":
    case "dispose":
    case "maintain":
      return needsOfCommand(step);
    default:
      return [];
  }
}

function needsOfCommand(command: AgentCommand): readonly Word[] {
  switch (command.type) {
    case "send": {
      const { lane, wake } = command.message;
      if (lane === "next-turn") return wake ? [] : ["queue"];
      return wake ? ["next-step"] : ["next-step", "inject"];
    }
    case "cancel":
      return [command.keepInbox ? "cancel-keep" : "cancel-clear"];
    case "retract":
      return ["retract"];
    case "dispose":
      return ["dispose"];
    case "maintain":
      return ["maintenance"];
  }
}
