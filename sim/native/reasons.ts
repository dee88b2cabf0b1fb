/** Thrown and rejected values come from strangers: nothing here may fail, whatever a value does when it is looked at. */
import { types } from "node:util";
import { ScenarioError } from "../scenario.ts";
import { portableStack } from "../stack.ts";

/** Puts a thrown or rejected value into words. Cannot fail. */
export function describeReason(reason: unknown): string {
  try {
    if (isError(reason)) return bounded(`${reason.name}: ${reason.message}`);
    if (typeof reason === "string") return bounded(JSON.stringify(reason));
    if (typeof reason === "object" && reason !== null) return bounded(JSON.stringify(reason) ?? "an object");
    return bounded(String(reason));
  } catch {
    return "a value that cannot be described";
  }
}

/** The scenario itself is built wrongly. A proxy may throw at the very question what it is. */
export function isMistake(reason: unknown): reason is ScenarioError {
  try {
    return reason instanceof ScenarioError;
  } catch {
    return false;
  }
}

/** The frames of user code, or null. */
export function stackOf(reason: unknown): string | null {
  try {
    return isError(reason) && typeof reason.stack === "string" ? portableStack(reason.stack) : null;
  } catch {
    return null;
  }
}

/** Also of another context: under Jest, what Node throws is no instance of the Error that is ours. */
function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value) || value instanceof DOMException;
}

function bounded(text: string): string {
  return text.length <= 500 ? text : `${text.slice(0, 500)}…`;
}
