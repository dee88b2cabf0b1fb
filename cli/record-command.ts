import { renderReplay } from "../reports/console.ts";
import { recordAgain } from "../repro/record.ts";
import { readRepro, writeRepro } from "../repro/repro-file.ts";
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
};

/** Records one repro file anew and returns the exit code: 0 where it was written, otherwise it is untouched. */
export async function runRecord(command: RecordCommand, output: Output): Promise<number> {
  if (command.strict || command.subject !== null) {
    throw new UsageError(
      "Cannot record with --strict or --subject: a file is recorded best-effort, of its own scenario; leave them out",
    );
  }
  const repro = await readRepro(command.repro);
  const scenario = findScenario(repro.scenario, await loadScenarios(command.files));
  const recording = await recordAgain(scenario, repro, command.renames);
  const { result, said } = recording;
  const written = recording.repro !== null;
  if (recording.repro !== null) await writeRepro(command.repro, recording.repro);
  const { full } = command;
  if (command.json) output.json({ format: 1, scenario: scenario.name, result, written, said });
  else {
    const shown = recording.repro ?? repro;
    output.lines([
      ...renderReplay(scenario.name, shown, result, { ...output.style, full, replayArguments: null }),
      written ? `  Recorded ${command.repro}: ${said}` : `  Not recorded, the file is as it was: ${said}`,
    ]);
  }
  if (written) return exitCodes.held;
  const exit = exitOfReplay(result);
  return exit === exitCodes.untrusted ? exit : exitCodes.noLongerFits;
}
