/**
 * A search's result as lines for a terminal: what broke, in which order, which swap decides, how to replay. At most 40
 * lines unless asked for all; it cannot fail, whatever the code under test has thrown or named.
 */
import pc from "picocolors";
import type { ExploreResult } from "../repro/explore.ts";
import type { Repro } from "../repro/repro.ts";
import type { Certificate, RaceCoverage, SourceLocation } from "../sim/result.ts";
import { graphLines, happenedLines, seenLines, swapLines, whyLines } from "./failure.ts";
import { always, bounded, type ConsoleOptions, fitted, type Section } from "./lines.ts";
import { noteLines } from "./notes.ts";
import { askedLines, breakLines, differsLines } from "./swap.ts";
import { traceLines } from "./trace.ts";
import {
  certificateSentence,
  counted,
  estimateSentence,
  grouped,
  mistakenSentence,
  oneLine,
  verdictMeaning,
} from "./wording.ts";

type Violated = Extract<ExploreResult, { readonly outcome: "violated" }>;

const nameLimit = 120;
/** A command is as long as its paths. */
const commandLimit = 8_192;

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
      if (result.certificate === null) {
        lines.push(...raceLines(result.races, options));
        if (options.full) lines.push(...undeclaredLines(result.races));
      }
      for (const goal of result.reached.missing) {
        const bounds = boundsOf(result.certificate);
        lines.push(`  ${colors.yellow("!")} held, but never reached "${oneLine(goal)}"${bounds}`);
      }
      return bounded(lines, options);
    }
    case "violated": {
      return fitted(failureSections(name, result, options), options);
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

/** What happened, why it is wrong, where the breakpoint goes, and how to see it again. */
function failureSections(name: string, result: Violated, options: ConsoleOptions): Section[] {
  const { repro, verdict, violation, executions } = result;
  const colors = pc.createColors(options.color);
  const swap = result.swap ?? null;
  const telling = result.telling ?? null;
  const found = `${verdict}, found by ${repro.foundBy.strategy} in ${counted(executions, "execution")}`;
  const trace = options.full ? ["", ...traceLines(repro, options.execution ?? null)] : [];
  const seen = seenLines(violation, options);
  return [
    always([`${colors.red("✗")} ${colors.bold(oneLine(name, nameLimit))}  ${found}`]),
    { lines: seen, least: 2, rank: 4 },
    always([...whyLines(violation, options), colors.dim(`  ${verdict}: ${verdictMeaning[verdict]}`), ""]),
    { lines: happenedLines(repro, telling, options), least: 2, rank: 7 },
    { lines: swapLines(repro, options), least: 2, rank: 8 },
    { lines: askedLines(swap, options), least: 0, rank: 3, whole: true },
    { lines: breakLines(violation, swap?.stacks ?? telling?.pair ?? null, telling, options), least: 2, rank: 6 },
    { lines: differsLines(swap, options), least: 0, rank: 2 },
    // In full each step tells its notes.
    { lines: options.full && options.execution != null ? [] : noteLines(telling, options), least: 0, rank: 1 },
    { lines: graphLines(violation, options), least: 2, rank: 5 },
    always(againLines(options)),
    { lines: ambiguousLines(repro, result.ambiguous), least: 0, rank: 1 },
    always(trace),
  ];
}

/** How to see it again, and how to keep it once it is fixed. */
function againLines({ replayArguments, command, keptAt = null }: ConsoleOptions): string[] {
  const keep =
    'once it is fixed, set "expect" to "held" and "choices" to null in that file, and move it to your tests; where the fix rules that order out, keep the scenario alone';
  // What is to be copied is never cut; but nothing in it may leave its line.
  if (replayArguments !== null) {
    return ["", `  Replay it: ${command} replay ${oneLine(replayArguments, commandLimit)}`, `  Keep it: ${keep}`];
  }
  if (keptAt === null) return [];
  const where = `  The repro is in ${oneLine(keptAt.path, commandLimit)}`;
  const byTest = `  Keep it: ${oneLine(keptAt.keep, commandLimit)}`;
  return ["", "  Replay it: run this test again, it finds the same failure", where, byTest];
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

/** Where precision was lost: a certificate says so among what it assumes. */
function undeclaredLines({ undeclared }: RaceCoverage): string[] {
  if (undeclared === undefined) return [];
  const { families, told } = undeclared;
  const names = told.map(({ name, at }) => `${oneLine(name, 60)}${placed(at)}`).join(", ");
  const rest = families > told.length ? `, and ${grouped(families - told.length)} more` : "";
  return [`    undeclared, so taken to touch everything: ${names}${rest}`];
}

function placed(at: SourceLocation | null): string {
  return at === null ? "" : ` (${oneLine(at.file)}:${at.line})`;
}

/**
 * Says which names of the repro would not survive an edit, and what to do about it. Ambiguous names that it does not use
 * are no news, nor are those of timers, which take no key.
 */
function ambiguousLines(repro: Repro, ambiguous: readonly string[]): string[] {
  const deliveries = repro.orderings.flatMap(({ first, then }) => [first, then]);
  const used = new Set(deliveries.map((delivery) => delivery.slice(0, delivery.lastIndexOf("#"))));
  const told = ambiguous.filter((name) => used.has(name) && !timerName.test(name));
  if (told.length === 0) return [];
  const names = told.slice(0, 3).map((name) => oneLine(name, 60));
  const why = "open more than once at a time, so they are told apart by their order alone";
  return [`  ambiguous: ${names.join(", ")}: ${why}; a key gives each a stable name`];
}

const timerName = /:(?:(?:timer|interval) \d+|immediate)$/;

/** Where classes were counted, a goal may still be reached between two deliveries that are independent. */
function boundsOf(certificate: Certificate | null): string {
  if (certificate === null) return "";
  return certificate.of === "orders" ? " (unreachable within these bounds)" : " (in one order of each class)";
}
