/** What was asked for, in an error message. */
export type Verb = "explore" | "replay";

/** Puts any value into a few words for an error message. Cannot fail. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "bigint":
      return `${value}n`;
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? "a list" : "an object";
    case "function":
      return "a function";
    default:
      return String(value);
  }
}
