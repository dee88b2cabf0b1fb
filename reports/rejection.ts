/** Where a rejection that nobody has handled comes from, as lines for a terminal. */
import type { MadePromise, Rejecter, Rejection, SourceLocation } from "../sim/result.ts";
import { oneLine } from "./wording.ts";

export function rejectionLines(rejection: Rejection | undefined): string[] {
  if (rejection === undefined) return [];
  const { made, rejected } = rejection;
  if (rejected === null) return made === null ? [] : [madeLine(made)];
  const who = rejectedWords(rejected);
  return made === null ? [`    the promise ${who}`] : [madeLine(made), `    and ${who}`];
}

function madeLine({ at, within, by }: MadePromise): string {
  return `    the promise was made by ${oneLine(by)}${placed(" at", at)}, ${during(within)}`;
}

function rejectedWords({ by, within, at, after }: Rejecter): string {
  // Whoever called reject() stands there; an async function that threw has gone on from its last await.
  const where = at === null ? placed(", going on from", after) : placed(" at", at);
  return `was rejected by ${oneLine(by)}${where}, ${during(within)}`;
}

function during(within: string | null): string {
  return within === null ? "before the first delivery" : `in the drain of ${oneLine(within)}`;
}

function placed(word: string, at: SourceLocation | null): string {
  return at === null ? "" : `${word} ${oneLine(at.file)}:${at.line}`;
}
