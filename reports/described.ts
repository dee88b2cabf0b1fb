/** Values that somebody else made (notes, commands of a script), in a few words each. Nothing here can fail. */
import type { TraceNote } from "../sim/execution.ts";
import { outline } from "../sim/outline.ts";
import { grouped } from "./wording.ts";

const valueLimit = 120;
const commandsShown = 12;

/** A note as one reads it: the event, then its data. */
export function noteWords({ event, data }: TraceNote): string {
  // Who writes JavaScript may note anything.
  const said: unknown = event;
  const name = typeof said === "string" ? said : outline(said, valueLimit);
  return data === undefined ? name : `${name} ${outline(data, valueLimit)}`;
}

/** The commands of a script, one after the other. */
export function scriptWords(script: readonly unknown[]): string {
  const words = script.slice(0, commandsShown).map(commandWords);
  const rest = script.length - words.length;
  return `${words.join(", ")}${rest > 0 ? ` and ${grouped(rest)} more` : ""}`;
}

/** `send a` for `{ type: "send", id: "a" }`: what a command is, then what it is given. */
function commandWords(command: unknown): string {
  try {
    if (typeof command !== "object" || command === null) return outline(command, valueLimit);
    const { type, ...given }: { readonly type?: unknown } = command;
    if (typeof type !== "string") return outline(command, valueLimit);
    return [type, ...Object.values(given).map((value) => outline(value, valueLimit / 2))].join(" ");
  } catch {
    return outline(command, valueLimit);
  }
}
