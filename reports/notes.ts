/** What was noted last, for whoever looks at a failure without asking for all of its steps. */
import { deliveryPhrase } from "../repro/sentences.ts";
import type { Telling } from "../repro/telling.ts";
import { noteWords } from "./described.ts";
import { type ConsoleOptions, plain } from "./lines.ts";
import { counted } from "./wording.ts";

const notesShown = 5;

/** The last notes before the end, each with the delivery in whose drain it was written. */
export function noteLines(telling: Telling | null, options: ConsoleOptions): string[] {
  if (telling === null || telling.notes.length === 0) return [];
  const { notes, notesBefore } = telling;
  const shown = options.full ? notes : notes.slice(-notesShown);
  const before = notes.length - shown.length + notesBefore;
  const title = `  What was noted${before > 0 ? ` last, after ${counted(before, "other note")}` : ""}:`;
  const lines = shown.map((note) => {
    return `    ${note.at === null ? "before the first delivery" : deliveryPhrase(note.at)}: ${noteWords(note)}`;
  });
  return [title, ...lines].map((line) => plain(line, options));
}
