import { renderReplay } from "../reports/console.ts";
import { replayInFull } from "../repro/replay.ts";
import { readRepro } from "../repro/repro-file.ts";
import { exitOfReplay, UsageError } from "./exit-codes.ts";
import { findScenario, loadScenarios } from "./load.ts";
import type { Output } from "./output.ts";
import { replayArguments } from "./repro-place.ts";

export type ReplayCommand = {
  readonly repro: string;
  readonly files: readonly string[];
  readonly strict: boolean;
  readonly subject: string | null;
  readonly json: boolean;
  readonly full: boolean;
};

/** Replays one repro file and returns the exit code. */
export async function runReplay(command: ReplayCommand, output: Output): Promise<number> {
  const repro = await readRepro(command.repro);
  if (command.strict && repro.choices === null) {
    throw new UsageError(`Cannot replay ${command.repro} strictly: expected choices in the file, found null`);
  }
  const loaded = await loadScenarios(command.files, { subjects: true });
  const name = command.subject === null ? repro.scenario : siblingOf(repro.scenario, command.subject);
  const scenario = findScenario(name, loaded);
  const { result, execution } = await replayInFull(scenario, repro, command.strict ? { mode: "strict" } : {});
  if (command.json) output.json({ format: 1, scenario: name, result });
  else {
    const again = command.subject === null ? replayArguments(command.repro, command.files) : null;
    const { full } = command;
    output.lines(renderReplay(name, repro, result, { ...output.style, full, execution, replayArguments: again }));
  }
  return exitOfReplay(result);
}

/** Another subject of the same family: `microloom:agent/core` for `microloom:agent/…` and `core`. */
function siblingOf(scenario: string, subject: string): string {
  if (subject.includes("/")) return subject.startsWith("microloom:") ? subject : `microloom:${subject}`;
  const slash = scenario.lastIndexOf("/");
  return `${scenario.slice(0, slash + 1)}${subject}`;
}
