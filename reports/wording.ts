/** Words and numbers as every report writes them. */
import { cutInTheMiddle, escaped, invisible } from "../repro/quoted.ts";
import type { Certificate, Estimate, Mistaken, Verdict } from "../sim/result.ts";

/** What a verdict means, for somebody who reads it for the first time. */
export const verdictMeaning: Readonly<Record<Verdict, string>> = {
  bug: "it can happen today",
  fragile: "it happens when both come out of one promise chain, or after one more await somewhere",
  unordered: "the code relies on an order that nobody promised",
};

/** Writes a whole number with thin groups of three: 12,345. The same on every machine, whatever its locale. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Says that a search was exhaustive, and within which bounds. */
export function certificateSentence(certificate: Certificate): string {
  const { classes, of, level, blocked, bounds, assumes } = certificate;
  const limits = Object.entries(bounds).map(([name, value]) => `${name} ${grouped(value)}`);
  const blockedRuns = blocked > 0 ? `, ${counted(blocked, "blocked run")}` : "";
  const every = classes === 1 ? `the only ${of === "orders" ? "order" : "class"}` : `all ${grouped(classes)} ${of}`;
  const declared = assumes.some((each) => each.startsWith("declared touches are complete"));
  const proviso = declared ? ", if the declared touches are complete" : "";
  return `${every} at level ${level}${blockedRuns}${proviso} (bounds: ${limits.join(", ")})`;
}

export function mistakenSentence({ first, then, differs }: Mistaken): string {
  return `declared independent and is not: ${oneLine(first)} and ${oneLine(then)} differ in ${oneLine(differs)}`;
}

export function estimateSentence({ classes, of, relativeError, probes }: Estimate): string {
  const error = Math.round(relativeError * 100);
  const about = classes < 1e15 ? grouped(classes) : `10^${Math.round(Math.log10(classes))}`;
  return `about ${about} ${of} (±${error} %, from ${counted(probes, "random walk")})`;
}

/**
 * Makes any text safe for one line of a terminal: everything invisible escaped, cut in the middle where it is too long.
 * Looks at no more of it than may be shown.
 */
export function oneLine(text: string, limit = 300): string {
  const ends = text.length > 2 * limit + 2 ? text.slice(0, limit + 1) + text.slice(-limit - 1) : text;
  return cutInTheMiddle(ends.replace(invisible, escapedInLine), limit);
}

function escapedInLine(character: string): string {
  return character === "\n" ? " ⏎ " : escaped(character);
}
