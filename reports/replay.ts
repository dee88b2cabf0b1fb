/** A replay's result as lines for a terminal. At most 40 lines unless asked for all; it cannot fail. */
import pc from "picocolors";
import type { ReplayResult } from "../repro/replay.ts";
import type { Repro } from "../repro/repro.ts";
import type { Violation } from "../sim/result.ts";
import { driftLines, neverAppeared, nextStep } from "./drift.ts";
import { graphLines, happenedLines, seenLines, swapLines, traceLines, whyLines } from "./failure.ts";
import { always, type ConsoleOptions, fitted, plain, type Section } from "./lines.ts";
import { noteLines } from "./notes.ts";
import { breakLines } from "./swap.ts";
import { oneLine } from "./wording.ts";

const nameLimit = 100;
const titleLimit = 120;

export function renderReplay(name: string, repro: Repro, result: ReplayResult, options: ConsoleOptions): string[] {
  const changed = [
    ...driftLines(result, options),
    // After the first difference strict replay lets come what comes, so only best-effort knows what was unmet.
    ...(result.drift?.bestEffort.unmet ?? result.unmet).map((ordering) => `  unmet: ${oneLine(ordering)}`),
    ...neverAppeared(result).map((missing) => `  never appeared: ${oneLine(missing)}`),
  ].map((line) => plain(line, options));
  const next = nextStep(result);
  // What is to be copied is never cut.
  const again =
    next === null || options.replayArguments === null
      ? []
      : [`  ${next.when}: ${options.command} ${next.verb} ${options.replayArguments}`];
  const sections = [
    ...outcomeSections(name, repro, result, options),
    { lines: changed, least: 6, rank: 3 },
    always(again),
  ];
  return fitted(sections, options);
}

function outcomeSections(name: string, repro: Repro, result: ReplayResult, options: ConsoleOptions): Section[] {
  const colors = pc.createColors(options.color);
  const bold = colors.bold(oneLine(name, nameLimit));
  const title = `${bold}  ${oneLine(repro.title, titleLimit)}`;
  const said = (...lines: readonly string[]): Section => always(lines.map((line) => plain(line, options)));
  switch (result.outcome) {
    case "violated":
      return [always([`${colors.red("✗")} ${title}`]), ...violatedSections(repro, result, options)];
    case "held":
      return [
        always([`${colors.green("✓")} ${bold}  "${oneLine(repro.violates, titleLimit)}" held`]),
        said("  every ordering was met and nothing was violated"),
        repro.expect === "violation"
          ? said('  Once the fix is meant, set "expect" to "held" and keep the file as a regression test.')
          : said(),
      ];
    case "no-longer-fits":
      return [
        always([`${colors.yellow("?")} ${title}`]),
        said("  no longer fits: the code has changed under the file, so it proves nothing"),
        repro.choices !== null && repro.expect === "violation" && result.drift === undefined
          ? said('  Is it fixed? Set "expect" to "held" and "choices" to null: then the orderings alone are replayed.')
          : said(),
      ];
    default: {
      const { where, detail } = result;
      return [
        always([`${colors.yellow("?")} ${title}`]),
        said(`  ${result.outcome}: the execution cannot be trusted`),
        where ? said(`    at ${oneLine(where.file)}:${where.line}:${where.column}`) : said(),
        detail === undefined ? said() : said(`    ${detail}`),
      ];
    }
  }
}

/** The same that a search tells of a failure, as far as one execution knows it, and how it compares with the file. */
function violatedSections(repro: Repro, result: ReplayResult, options: ConsoleOptions): Section[] {
  const { violation } = result;
  const telling = result.telling ?? null;
  const execution = options.full ? (options.execution ?? null) : null;
  return [
    ...(violation === undefined ? [] : violationSections(violation, options)),
    always([""]),
    { lines: happenedLines(repro, telling, options), least: 2, rank: 7 },
    { lines: swapLines(repro, options), least: 2, rank: 8 },
    {
      lines: violation === undefined ? [] : breakLines(violation, telling?.pair ?? null, telling, options),
      least: 2,
      rank: 6,
    },
    // In full each step tells its notes.
    { lines: execution === null ? noteLines(telling, options) : [], least: 0, rank: 1 },
    always([plain(comparison(repro, result), options)]),
    always(options.full ? ["", ...traceLines(repro, execution)] : []),
  ];
}

function violationSections(violation: Violation, options: ConsoleOptions): Section[] {
  return [
    { lines: seenLines(violation, options), least: 2, rank: 4 },
    always(whyLines(violation, options)),
    { lines: graphLines(violation, options), least: 2, rank: 5 },
  ];
}

function comparison(repro: Repro, result: ReplayResult): string {
  const { violation } = result;
  if (violation !== undefined && violation.name !== repro.violates) {
    return `  The file was recorded for "${oneLine(repro.violates, titleLimit)}"; this is another violation.`;
  }
  if (repro.expect === "held") return "  The file expects this to hold: what was fixed is broken again.";
  return guessed(result) ? "  It fails as recorded, by a guess:" : "  It fails as recorded.";
}

function guessed({ drift }: ReplayResult): boolean {
  return drift !== undefined && (drift.guesses.taken.length > 0 || drift.guesses.newComes !== null);
}
