/** The parts of a failure, each as lines: what was seen, why it matters, what happened, which swap decides. */
import type { Repro } from "../repro/repro.ts";
import { decidingSwap, firstFacts } from "../repro/sentences.ts";
import type { Telling } from "../repro/telling.ts";
import type { Violation, ViolationKind } from "../sim/result.ts";
import { scriptWords } from "./described.ts";
import { type ConsoleOptions, plain, widthOf } from "./lines.ts";
import { rejectionLines } from "./rejection.ts";
import { isExplained, waitLines } from "./wait-graph.ts";
import { grouped, oneLine } from "./wording.ts";

export { traceLines } from "./trace.ts";

const nameLimit = 120;
/** Sentences about what happened, and frames of an error, that are shown unless all are asked for. */
const sentencesShown = 3;
const framesShown = 5;
const stackLimit = 65_536;

const hints: { readonly [Kind in ViolationKind]?: string } = {
  stuck: "does it wait for real I/O? Then wrap that in world.io(): only what the world delivers ever comes",
  liveness: "does it come to an end, only later? Then raise stepLimit",
};

/** Why a failure of each kind matters, where whoever declared the condition has not said it. */
const reasons: Readonly<Record<ViolationKind, string>> = {
  always: "It must hold after every delivery, so whoever looks at this moment sees what must never be.",
  quiescence: "Nothing is left to deliver, so nobody will ever put it right.",
  error: "Nobody handles it. Outside of a test, an error that nobody handles ends the process.",
  stuck: "Nothing is left to deliver, so whoever waits there waits for ever.",
  livelock: "The microtask queue never empties, so no timer, no I/O and no user is served again.",
  liveness: "It goes on for ever, although nothing fails any more and everybody has a turn.",
};

/** What was violated, and what was seen. */
export function seenLines(violation: Violation, options: ConsoleOptions): string[] {
  const { name, kind, detail, at, stack, waits, rejection } = violation;
  const head = `  ${oneLine(name, nameLimit)} (${kind}): `;
  const lines = [`${head}${oneLine(detail, widthOf(options) - head.length)}`];
  if (at !== null) lines.push(`    seen after ${at}`);
  const hint = hints[kind];
  if (hint !== undefined && !(kind === "stuck" && isExplained(waits))) lines.push(`    ${hint}`);
  const frames = (stack ?? "")
    .slice(0, stackLimit)
    .split("\n", options.full ? 100 : framesShown)
    .filter((frame) => frame !== "");
  const thrown = frames.map((frame) => `    ${frame}`);
  return [...lines, ...thrown, ...rejectionLines(rejection)].map((line) => plain(line, options));
}

/** Why that is wrong. */
export function whyLines({ kind, why }: Violation, options: ConsoleOptions): string[] {
  return [plain(`  Why it matters: ${why ?? reasons[kind]}`, options)];
}

/** Who waits for whom, where somebody does. */
export function graphLines({ waits }: Violation, options: ConsoleOptions): string[] {
  return waits === undefined ? [] : waitLines(waits, options.full).map((line) => plain(line, options));
}

/** What happened, in which order. */
export function happenedLines(repro: Repro, telling: Telling | null, options: ConsoleOptions): string[] {
  const most = options.full ? Number.POSITIVE_INFINITY : sentencesShown;
  const { sentences, more } = firstFacts(repro, most, telling?.choices);
  const lines = ["  What happened:", ...sentences.map((sentence, index) => `    ${index + 1}. ${sentence}`)];
  if (more > 0) lines.push(`    and ${grouped(more)} more like these; --full shows all`);
  if (repro.script.length > 0) lines.push(`    The script: ${scriptWords(repro.script)}`);
  return lines.map((line) => plain(line, options));
}

/** Which swap alone makes the failure go away. */
export function swapLines(repro: Repro, options: ConsoleOptions): string[] {
  const swap = decidingSwap(repro);
  return swap === null ? [] : ["  The swap that decides:", plain(`    ${swap}`, options)];
}
