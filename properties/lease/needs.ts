import type { LeaseScript } from "./script.ts";
import type { LeaseWord } from "./scripts.ts";

/** The parts of the contract that a script makes use of. */
export function needsOf(script: LeaseScript): readonly LeaseWord[] {
  return [...new Set(script.flatMap(needsOfStep))];
}

function needsOfStep(step: LeaseScript[number]): readonly LeaseWord[] {
  switch (step.type) {
    case "together":
      return needsOf(step.steps);
    case "request":
      return step.needsApproval ? ["approvals"] : [];
    case "approve":
    case "deny":
      return ["approvals"];
    case "spawn":
    case "finish":
      return ["children"];
    case "close":
      return ["close"];
    default:
      return [];
  }
}
