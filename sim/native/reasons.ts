/** Thrown and rejected values come from strangers: nothing here may fail, whatever a value does when it is looked at. */
import { cut, headOfError, isError, outline } from "../outline.ts";
import { ScenarioError } from "../scenario.ts";
import { portableStack } from "../stack.ts";

const limit = 500;
/** So many causes of causes are told, and so many of the errors that one has gathered. */
const causesTold = 3;
/** Thirty frames are never as long; what is longer was not written by the engine. */
const stackLimit = 32_768;

/** Puts a thrown or rejected value into words, on one line where its texts are. Cannot fail. */
export function describeReason(reason: unknown): string {
  if (!isError(reason)) return outline(reason, limit);
  const told = describeError(reason, causesTold);
  // An error of no name and no message is told by what it is.
  return told === "Error" ? outline(reason, limit) : cut(told, limit);
}

function describeError(error: Error, depth: number): string {
  const head = `${headOfError(error, limit)}${gathered(error, depth)}`;
  const cause = read(error, "cause");
  if (cause === undefined || cause === null) return head;
  if (depth <= 0) return `${head}; caused by …`;
  return `${head}; caused by ${isError(cause) ? describeError(cause, depth - 1) : outline(cause, limit)}`;
}

/** What an AggregateError has gathered. */
function gathered(error: Error, depth: number): string {
  const errors = read(error, "errors");
  try {
    if (!Array.isArray(errors) || errors.length === 0) return "";
    if (depth <= 0) return " (…)";
    const told: string[] = [];
    for (let index = 0; index < Math.min(errors.length, causesTold); index++) {
      const each: unknown = errors[index];
      told.push(isError(each) ? describeError(each, depth - 1) : outline(each, limit));
    }
    const rest = errors.length - told.length;
    return ` (${told.join(", ")}${rest > 0 ? ` and ${rest} more` : ""})`;
  } catch {
    return "";
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
  if (!isError(reason)) return null;
  const stack = read(reason, "stack");
  const message = read(reason, "message");
  try {
    return typeof stack === "string" ? portableStack(withoutHead(stack, message)) : null;
  } catch {
    return null;
  }
}

/** A stack begins with the message, whose lines may look like frames. */
function withoutHead(stack: string, message: unknown): string {
  let from = 0;
  if (typeof message === "string" && message !== "") {
    // Tried at the two places where it may stand, because a search for a long text in a longer one may take for ever.
    const places = [0, stack.slice(0, limit).indexOf(": ") + 2];
    from = (places.find((place) => stack.startsWith(message, place)) ?? -message.length) + message.length;
  }
  return stack.slice(from, from + stackLimit);
}

function read(from: object, key: PropertyKey): unknown {
  try {
    return Reflect.get(from, key);
  } catch {
    return undefined;
  }
}
