/** Values that somebody else made (notes, commands of a script), in a few words each. Nothing here can fail. */
import type { TraceNote } from "../sim/execution.ts";
import { outline } from "../sim/outline.ts";
import { grouped } from "./wording.ts";

const valueLimit = 120;
const commandsShown = 12;
const partsShown = 6;

/** A note as one reads it: the event, then its data. */
export function noteWords({ event, data }: TraceNote): string {
  // Who writes JavaScript may note anything.
  const said: unknown = event;
  const name = typeof said === "string" ? said : outline(said, valueLimit);
  return data === undefined ? name : `${name} ${outline(data, valueLimit)}`;
}

/** The commands of a script, one after the other. */
export function scriptWords(script: readonly unknown[]): string {
  const words = script.slice(0, commandsShown).map((command) => commandWords(command));
  const rest = script.length - words.length;
  return `${words.join(", ")}${rest > 0 ? ` and ${grouped(rest)} more` : ""}`;
}

/**
 * `send a next-turn wake` for `{ type: "send", message: { id: "a", lane: "next-turn", wake: true } }`: what a command is,
 * then what it is given. What is true is named, what is false is denied; a list stands after its name.
 */
function commandWords(command: unknown, depth = 2): string {
  try {
    if (typeof command !== "object" || command === null) return outline(command, valueLimit);
    const { type, ...given }: { readonly type?: unknown } = command;
    if (typeof type !== "string") return outline(command, valueLimit);
    return [type, ...Object.entries(given).flatMap(([key, value]) => givenWords(key, value, depth))].join(" ");
  } catch {
    return outline(command, valueLimit);
  }
}

function givenWords(key: string, value: unknown, depth: number): readonly string[] {
  switch (typeof value) {
    case "string":
      return [/^[\w./@-]{1,40}$/.test(value) ? value : outline(value, valueLimit / 2)];
    case "boolean":
      return [value ? key : `no-${key}`];
    case "object":
      if (value === null || depth === 0) break;
      if (Array.isArray(value)) {
        const parts = value.slice(0, partsShown).flatMap((each) => givenWords(key, each, depth - 1));
        return [`${key}=${parts.join("+")}${value.length > partsShown ? "+…" : ""}`];
      }
      if ("type" in value) return [commandWords(value, depth - 1)];
      return Object.entries(value)
        .slice(0, partsShown)
        .flatMap(([name, each]) => givenWords(name, each, depth - 1));
  }
  return [`${key}=${outline(value, valueLimit / 2)}`];
}
