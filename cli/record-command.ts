import { renderReplay } from "../reports/console.ts";
import { oneLine } from "../reports/wording.ts";
import { recordAgain } from "../repro/record.ts";
import { readRepro, writeRepro } from "../repro/repro-file.ts";
import { refuseUnwritable } from "../repro/whole-file.ts";
import { exitCodes, exitOfReplay, UsageError } from "./exit-codes.ts";
import { findScenario, loadScenarios } from "./load.ts";
import type { Output } from "./output.ts";

export type RecordCommand = {
  readonly repro: string;
  readonly files: readonly string[];
  /** Each `old=new`. */
  readonly renames: readonly string[];
  /** What cannot be asked of a recording: it is best-effort, and of the file's own scenario. */
  readonly strict: boolean;
  readonly subject: string | null;
  readonly json: boolean;
  readonly full: boolean;
  /** Begins to listen for an interrupt; asked for once the scenario is loaded. */
  readonly interrupted: () => AbortSignal;
};

/** Renames that a reader may copy stand in what is said, so it is not cut as soon as a title. */
const wordsLimit = 4_000;

/** Records one repro file anew and returns the exit code: 0 where it was written, otherwise it is untouched. */
export async function runRecord(command: RecordCommand, output: Output): Promise<number> {
  if (command.strict || command.subject !== null) {
    throw new UsageError(
      "Cannot record with --strict or --subject: a file is recorded best-effort, of its own scenario; leave them out",
    );
  }
  const repro = await readRepro(command.repro);
  await refuseUnwritable(command.repro);
  const scenario = findScenario(repro.scenario, await loadScenarios(command.files, { subjects: true }));
  const signal = command.interrupted();
  const recording = await recordAgain(scenario, repro, command.renames);
  const { result } = recording;
  // Who presses Ctrl-C wants nothing to change any more.
  const now = signal.aborted ? null : recording.repro;
  const said = recording.repro !== null && now === null ? "it was interrupted; run it again" : recording.said;
  if (now !== null) await writeRepro(command.repro, now);
  const { full } = command;
  if (command.json) output.json({ format: 1, scenario: scenario.name, result, written: now !== null, said });
  else {
    const shown = oneLine(said, wordsLimit);
    output.lines([
      ...renderReplay(scenario.name, now ?? repro, result, { ...output.style, full, replayArguments: null }),
      now !== null
        ? `  Recorded ${oneLine(command.repro, wordsLimit)}: ${shown}`
        : `  Not recorded, the file is as it was: ${shown}`,
    ]);
  }
  if (now !== null) return exitCodes.held;
  if (recording.repro !== null) {
    output.warn("interrupted: what is reported is what was known by then");
    return exitCodes.interrupted;
  }
  const exit = exitOfReplay(result);
  return exit === exitCodes.untrusted ? exit : exitCodes.noLongerFits;
}
