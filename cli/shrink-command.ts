import { renderReplay } from "../reports/console.ts";
import { oneLine } from "../reports/wording.ts";
import type { Repro } from "../repro/repro.ts";
import { readRepro, writeRepro } from "../repro/repro-file.ts";
import { reproSentences } from "../repro/sentences.ts";
import { type ShrunkAgain, shrinkAgain } from "../repro/shrink-again.ts";
import { refuseUnwritable } from "../repro/whole-file.ts";
import { exitCodes, exitOfReplay, UsageError } from "./exit-codes.ts";
import { findScenario, loadScenarios } from "./load.ts";
import type { Output } from "./output.ts";
import { isSameFile, refuseTarget } from "./target-file.ts";

export type ShrinkCommand = {
  readonly repro: string;
  readonly files: readonly string[];
  /** Where the result goes; null: nowhere, unless `write` says in place. */
  readonly out: string | null;
  readonly write: boolean;
  readonly force: boolean;
  readonly json: boolean;
  /** Begins to listen for an interrupt; asked for once the scenario is loaded. */
  readonly interrupted: () => AbortSignal;
};

/**
 * Shrinks one repro again and returns the exit code: 0 where it still fails as recorded, whether or not it got smaller, and
 * where it expects to hold and does.
 */
export async function runShrink(command: ShrinkCommand, output: Output): Promise<number> {
  const repro = await readRepro(command.repro);
  const path = await targetOf(command);
  const scenario = findScenario(repro.scenario, await loadScenarios(command.files, { subjects: true }));
  const signal = command.interrupted();
  const shrunk = await shrinkAgain(scenario, repro, signal);
  if (shrunk.repro === null) return notShrunk(repro, shrunk, command, output);
  // A shrinking that was cut short has no critical pair, so it must not replace a file that may have one.
  const written = signal.aborted ? null : path;
  if (written !== null) await writeRepro(written, shrunk.repro);
  if (command.json) {
    output.json({ format: 1, scenario: scenario.name, result: shrunk.result, shrunk: shrunk.repro, written });
  } else {
    output.lines([...countLines(repro, shrunk.repro, shrunk), `  ${whatWasWritten(written, signal)}`]);
  }
  if (!signal.aborted) return exitCodes.held;
  output.warn("interrupted: what is reported is what was known by then");
  return exitCodes.interrupted;
}

/** Where the result is to go; null: nowhere. Refuses before anything is run. */
async function targetOf({ repro, files, out, write, force }: ShrinkCommand): Promise<string | null> {
  if (out !== null && write) {
    throw new UsageError("Cannot shrink into two files: expected --out or --write, found both");
  }
  if (write) await refuseUnwritable(repro);
  if (out === null) return write ? repro : null;
  if (!force && (await isSameFile(out, repro))) {
    throw new UsageError(
      `Cannot write ${out}: it is the repro itself; pass --write instead of --out to shrink it in place`,
    );
  }
  await refuseTarget({ path: out, force, sources: files });
  return out;
}

function notShrunk(repro: Repro, { result }: ShrunkAgain, { json }: ShrinkCommand, output: Output): number {
  const asExpected = repro.expect === "held" && result.outcome === "held";
  if (json) output.json({ format: 1, scenario: repro.scenario, result, shrunk: null, written: null });
  else {
    const style = { ...output.style, full: false, replayArguments: null };
    const why = asExpected
      ? "the file expects this to hold, and it does: a regression test is replayed, only a failure can be shrunk"
      : "it does not fail as recorded, so there is nothing to go by";
    output.lines([...renderReplay(repro.scenario, repro, result, style), `  Not shrunk: ${why}`]);
  }
  const exit = exitOfReplay(result);
  return asExpected || exit === exitCodes.untrusted ? exit : exitCodes.noLongerFits;
}

function countLines(before: Repro, after: Repro, { steps }: ShrunkAgain): readonly string[] {
  const counts = (["script", "orderings", "faults", "data"] as const).map((key) => {
    return `${key} ${countOf(before, key)} → ${countOf(after, key)}`;
  });
  if (steps !== null) counts.push(`steps ${steps[0]} → ${steps[1]}`);
  return [
    `${oneLine(after.scenario)}  ${counts.join(", ")}`,
    ...reproSentences(after).map((sentence) => `  ${sentence}`),
  ];
}

function whatWasWritten(path: string | null, { aborted }: AbortSignal): string {
  if (aborted) return "Nothing was written: it was interrupted; run it again to the end";
  return path === null
    ? "Nothing was written: pass --write to do it in place, or --out"
    : `Written to ${oneLine(path)}`;
}

function countOf(repro: Repro, key: "script" | "orderings" | "faults" | "data"): number {
  return key === "data" ? repro.data.filter((index) => index > 0).length : repro[key].length;
}
