/** The titles of repros. What a title says must be true of the file that it stands in, also once the code is right. */
import { noQuiescence } from "../sim/native/fair.ts";
import type { Violation } from "../sim/result.ts";

/** How a title begins while the code is broken, and once it is not. */
const tenses: readonly (readonly [now: string, past: string])[] = [
  ["Broken: ", "Was broken: "],
  ["Ends in an error: ", "Ended in an error: "],
  ["Stuck: ", "Was stuck: "],
  ["Never comes to quiescence", "Never came to quiescence"],
  ["Never settles: ", "Never settled: "],
  ["Never ends: ", "Never ended: "],
  // What a proof has found.
  ["The shortest way to break ", "Was the shortest way to break "],
];

/** The title of a failure that was just found. */
export function titleOf({ kind, name }: Violation): string {
  switch (kind) {
    case "always":
    case "quiescence":
      return `Broken: ${name}`;
    case "error":
      return `Ends in an error: ${name}`;
    case "stuck":
      return `Stuck: ${name}`;
    case "liveness":
      return name === noQuiescence ? "Never comes to quiescence" : `Never settles: ${name}`;
    case "livelock":
      return `Never ends: ${name}`;
  }
}

/** The title of a file that expects to hold: in the past tense, which stays true should it break again. */
export function titleOnceHeld(title: string): string {
  for (const [now, past] of tenses) if (title.startsWith(now)) return past + title.slice(now.length);
  // Words of the reader's own are theirs to change.
  return title;
}

/** The title of a file that expects the violation again. */
export function titleWhileBroken(title: string): string {
  for (const [now, past] of tenses) if (title.startsWith(past)) return now + title.slice(past.length);
  return title;
}
