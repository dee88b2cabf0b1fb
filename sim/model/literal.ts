import type { Literal } from "./schema.ts";

/** In parentheses where a sign could meet another one. */
export function literal(value: Literal): string {
  return typeof value === "number" && value < 0 ? `(${value})` : JSON.stringify(value);
}
