/**
 * A result as lines for a terminal: what broke, in which order, which swap decides, how to replay. At most 40 lines
 * unless asked for all; it cannot fail, whatever the code under test has thrown or named.
 */
import pc from "picocolors";
import { decodeChoices } from "../repro/choices.ts";
import type { ExploreResult } from "../repro/explore.ts";
import type { ReplayResult } from "../repro/replay.ts";
import type { Repro } from "../repro/repro.ts";
import { reproSentences } from "../repro/sentences.ts";
import type { RaceCoverage, SourceLocation, Violation } from "../sim/result.ts";
import { waitLines } from "./wait-graph.ts";
import {
  certificateSentence,
  counted,
  estimateSentence,
  mistakenSentence,
  oneLine,
  verdictMeaning,
} from "./wording.ts";

export type ConsoleOptions = {
  /** Colours on; the caller knows whether a person is reading. */
  readonly color: boolean;
  /** All lines instead of at most `lineLimit`. */
  readonly full: boolean;
  /** What to add to `replay` to see it again; null when no repro was written. */
  readonly replayArguments: string | null;
  /** How the reader calls the command. */
  readonly command: string;
};

export const lineLimit = 40;

export function renderExplore(name: string, result: ExploreResult, options: ConsoleOptions): string[] {
  const colors = pc.createColors(options.color);
  const title = colors.bold(oneLine(name));
  switch (result.outcome) {
    case "held": {
      const sound = result.reached.missing.length === 0 && result.mistaken.length === 0;
      const mark = sound ? colors.green("✓") : colors.yellow("!");
      const lines = [`${mark} ${title}  held, ${counted(result.executions, "execution")}`];
      if (result.certificate !== null) lines.push(`    exhaustive: ${certificateSentence(result.certificate)}`);
      else if (result.ended === "flat")
        lines.push("    not exhaustive: all goals reached, and nothing new is to be expected of more executions");
      else if (result.estimate === null)
        lines.push("    not exhaustive: none of these executions broke anything, others may");
      else lines.push(`    not exhaustive: there are ${estimateSentence(result.estimate)}`);
      for (const mistake of result.mistaken) lines.push(`  ${colors.yellow("!")} ${mistakenSentence(mistake)}`);
      if (options.full)
        for (const each of result.certificate?.assumes ?? []) lines.push(`    assuming: ${oneLine(each)}`);
      if (result.certificate === null) lines.push(...raceLines(result.races, options));
      for (const goal of result.reached.missing) {
        const bounds = result.certificate === null ? "" : " (unreachable within these bounds)";
        lines.push(`  ${colors.yellow("!")} held, but never reached "${oneLine(goal)}"${bounds}`);
      }
      return bounded(lines, options);
    }
    case "violated": {
      const { repro, verdict, violation, executions } = result;
      const found = `${verdict}, found by ${repro.foundBy.strategy} in ${counted(executions, "execution")}`;
      const lines = [`${colors.red("✗")} ${title}  ${found}`, ...violationLines(violation, options)];
      lines.push(`  ${colors.dim(`${verdict}: ${verdictMeaning[verdict]}`)}`, "", ...reproLines(repro), "");
      if (options.replayArguments !== null) {
        lines.push(`  Replay it: ${options.command} replay ${options.replayArguments}`);
      }
      lines.push(...ambiguousLines(repro, result.ambiguous));
      if (options.full) lines.push("", ...traceLines(repro));
      return bounded(lines, options);
    }
    case "leaked":
    case "diverged": {
      const lines = [`${colors.yellow("?")} ${title}  ${result.outcome}, ${counted(result.executions, "execution")}`];
      const { where } = result;
      if (where !== null) lines.push(`    at ${oneLine(where.file)}:${where.line}:${where.column}`);
      return bounded([...lines, `    ${oneLine(result.detail)}`], options);
    }
  }
}

export function renderReplay(name: string, repro: Repro, result: ReplayResult, options: ConsoleOptions): string[] {
  const colors = pc.createColors(options.color);
  const title = `${colors.bold(oneLine(name))}  ${oneLine(repro.title)}`;
  const lines: string[] = [];
  switch (result.outcome) {
    case "violated":
      lines.push(`${colors.red("✗")} ${title}`);
      if (result.violation !== undefined) lines.push(...violationLines(result.violation, options));
      lines.push("", ...reproLines(repro));
      if (result.violation !== undefined && result.violation.name !== repro.violates) {
        lines.push(`  The file was recorded for "${oneLine(repro.violates)}"; this is another violation.`);
      } else if (repro.expect === "violation") {
        lines.push("  It fails as recorded.");
      } else {
        lines.push("  The file expects this to hold: what was fixed is broken again.");
      }
      if (options.full) lines.push("", ...traceLines(repro));
      break;
    case "held":
      lines.push(`${colors.green("✓")} ${colors.bold(oneLine(name))}  "${oneLine(repro.violates)}" held`);
      lines.push("  every ordering was met and nothing was violated");
      if (repro.expect === "violation") {
        lines.push('  Once the fix is meant, set "expect" to "held" and keep the file as a regression test.');
      }
      break;
    case "no-longer-fits":
      lines.push(`${colors.yellow("?")} ${title}`);
      lines.push("  no longer fits: the code has changed under the file, so it proves nothing");
      if (repro.choices !== null && repro.expect === "violation") {
        lines.push(
          '  Is it fixed? Set "expect" to "held" and "choices" to null: then the orderings alone are replayed.',
        );
      }
      break;
    default:
      lines.push(`${colors.yellow("?")} ${title}`);
      lines.push(`  ${result.outcome}: the execution cannot be trusted`);
      if (result.where) lines.push(`    at ${oneLine(result.where.file)}:${result.where.line}:${result.where.column}`);
      if (result.detail !== undefined) lines.push(`    ${oneLine(result.detail)}`);
  }
  if (result.firstDifference !== undefined) {
    const { step, recorded, now } = result.firstDifference;
    lines.push(`  first difference at step ${step}`);
    lines.push(`    recorded: ${oneLine(recorded)}`, `    now:      ${oneLine(now)}`);
  }
  for (const ordering of result.unmet) lines.push(`  unmet: ${oneLine(ordering)}`);
  for (const missing of result.neverAppeared) lines.push(`  never appeared: ${oneLine(missing)}`);
  return bounded(lines, options);
}

/** Which conflicting deliveries were always seen in the same order: that a search held says nothing about the other. */
function raceLines({ pairs, bothOrders, oneOrder }: RaceCoverage, { full }: ConsoleOptions): string[] {
  if (bothOrders === pairs) return [];
  const lines = [`    races: ${bothOrders} of ${counted(pairs, "conflicting pair")} seen in both orders, never these:`];
  const shown = oneOrder.slice(0, full ? oneOrder.length : 3);
  for (const { first, then, firstAt, thenAt } of shown) {
    lines.push(`      ${oneLine(then)}${placed(thenAt)} before ${oneLine(first)}${placed(firstAt)}`);
  }
  const rest = pairs - bothOrders - shown.length;
  return rest > 0 ? [...lines, `      and ${grouped(rest)} more`] : lines;
}

function placed(at: SourceLocation | null): string {
  return at === null ? "" : ` (${oneLine(at.file)}:${at.line})`;
}

const hints: Readonly<Record<string, string>> = {
  stuck: "does it wait for real I/O? Then wrap that in world.io(): only what the world delivers ever comes",
  liveness: "does it come to an end, only later? Then raise stepLimit",
};

function violationLines(violation: Violation, { full }: ConsoleOptions): string[] {
  const lines = [`  ${oneLine(violation.name)} (${violation.kind}): ${oneLine(violation.detail)}`];
  if (violation.at !== null) lines.push(`    seen after ${oneLine(violation.at)}`);
  const hint = hints[violation.kind];
  if (hint !== undefined) lines.push(`    ${hint}`);
  for (const frame of (violation.stack ?? "").split("\n").slice(0, 5))
    if (frame !== "") lines.push(`    ${oneLine(frame)}`);
  if (violation.waits !== undefined) lines.push(...waitLines(violation.waits, full));
  return lines;
}

function reproLines(repro: Repro): string[] {
  const sentences = reproSentences(repro);
  const swap = repro.criticalPair === null ? [] : sentences.splice(-1);
  const lines = ["  What happened:", ...sentences.map((sentence, index) => `    ${index + 1}. ${sentence}`)];
  return swap.length === 0
    ? lines
    : [...lines, "  The swap that decides:", ...swap.map((sentence) => `    ${sentence}`)];
}

/** Every step of the failing execution, read back from its choices. */
function traceLines(repro: Repro): string[] {
  if (repro.choices === null) return ["  The file carries no choices, so its steps are not known"];
  const { steps } = decodeChoices(repro.choices);
  const width = String(steps.length).length;
  const lines = steps.map(({ name, possible, tick, fault }, index) => {
    const how = [possible > 1 ? `1 of ${possible} possible` : "", tick > 0 ? `at tick ${tick}` : "", fault ?? ""];
    const said = how.filter((word) => word !== "").join(", ");
    return `    ${String(index + 1).padStart(width)}. ${oneLine(name)}${said === "" ? "" : `  (${said})`}`;
  });
  return ["  Every step:", ...lines];
}

/** Says which names of the repro would not survive an edit; ambiguous names that it does not use are no news. */
function ambiguousLines(repro: Repro, ambiguous: readonly string[]): string[] {
  const used = repro.orderings.flatMap(({ first, then }) => [first, then]);
  const told = ambiguous.filter((name) => used.some((delivery) => delivery.startsWith(`${name}#`)));
  if (told.length === 0) return [];
  const names = told.slice(0, 3).map((name) => oneLine(name, 60));
  const what = `  ambiguous: ${names.join(", ")}: open more than once at a time, so they are told apart by their order alone`;
  // A timer takes no key.
  return [told.every((name) => timerName.test(name)) ? what : `${what}; a key gives each a stable name`];
}

const timerName = /:(?:(?:timer|interval) \d+|immediate)$/;

function bounded(lines: readonly string[], options: ConsoleOptions): string[] {
  if (options.full || lines.length <= lineLimit) return [...lines];
  const hidden = lines.length - lineLimit + 1;
  return [...lines.slice(0, lineLimit - 1), `  … ${counted(hidden, "more line")}; --full shows all`];
}
