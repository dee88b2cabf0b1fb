/** A replay's result as lines for a terminal. At most 40 lines unless asked for all. */
import pc from "picocolors";
import type { ReplayResult } from "../repro/replay.ts";
import type { Repro } from "../repro/repro.ts";
import { driftLines, neverAppeared, nextStep } from "./drift.ts";
import { reproLines, traceLines, violationLines } from "./failure.ts";
import { bounded, type ConsoleOptions } from "./lines.ts";
import { oneLine } from "./wording.ts";

export function renderReplay(name: string, repro: Repro, result: ReplayResult, options: ConsoleOptions): string[] {
  const colors = pc.createColors(options.color);
  const title = `${colors.bold(oneLine(name))}  ${oneLine(repro.title)}`;
  const lines: string[] = [];
  switch (result.outcome) {
    case "violated":
      lines.push(`${colors.red("✗")} ${title}`);
      if (result.violation !== undefined) lines.push(...violationLines(result.violation, options));
      lines.push("", ...reproLines(repro, options));
      if (result.violation !== undefined && result.violation.name !== repro.violates) {
        lines.push(`  The file was recorded for "${oneLine(repro.violates)}"; this is another violation.`);
      } else if (repro.expect === "violation") {
        lines.push(guessed(result) ? "  It fails as recorded, by a guess:" : "  It fails as recorded.");
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
      if (repro.choices !== null && repro.expect === "violation" && result.drift === undefined) {
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
  lines.push(...driftLines(result, options));
  // After the first difference strict replay lets come what comes, so only best-effort knows what was unmet.
  for (const ordering of result.drift?.bestEffort.unmet ?? result.unmet) lines.push(`  unmet: ${oneLine(ordering)}`);
  for (const missing of neverAppeared(result)) lines.push(`  never appeared: ${oneLine(missing)}`);
  const next = nextStep(result);
  if (next !== null && options.replayArguments !== null) {
    lines.push(`  ${next.when}: ${options.command} ${next.verb} ${options.replayArguments}`);
  }
  return bounded(lines, options);
}

function guessed({ drift }: ReplayResult): boolean {
  return drift !== undefined && (drift.guesses.taken.length > 0 || drift.guesses.newComes !== null);
}
