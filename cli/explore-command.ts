import { join } from "node:path";
import { builtInScenarios } from "../properties/index.ts";
import { renderExplore } from "../reports/console.ts";
import { type ExploreResult, explore } from "../repro/explore.ts";
import { reproFileName, writeRepro } from "../repro/repro-file.ts";
import type { ExploreOptions } from "../sim/result.ts";
import type { Scenario } from "../sim/scenario.ts";
import { exitOfExplore, worstExit } from "./exit-codes.ts";
import { loadScenarios } from "./load.ts";
import type { Output } from "./output.ts";

export type ExploreCommand = {
  readonly files: readonly string[];
  readonly options: ExploreOptions;
  readonly json: boolean;
  readonly full: boolean;
  readonly allowUnreached: boolean;
  /** Folder for repro files. */
  readonly out: string;
};

/** Explores scenarios one after the other and returns the exit code. */
export async function runExplore(command: ExploreCommand, output: Output): Promise<number> {
  const scenarios = command.files.length === 0 ? [...builtInScenarios.values()] : await loadScenarios(command.files);
  const results: { readonly scenario: string; readonly result: ExploreResult }[] = [];
  for (const scenario of scenarios) {
    const result = await explore(scenario, command.options);
    results.push({ scenario: scenario.name, result });
    const reproPath = await keep(scenario, result, command.out, output);
    if (command.json) continue;
    const { full } = command;
    output.lines(
      renderExplore(scenario.name, result, {
        ...output.style,
        full,
        replayArguments: replayArguments(reproPath, command.files),
      }),
    );
  }
  if (command.json) output.json({ format: 1, results });
  return worstExit(results.map(({ result }) => exitOfExplore(result, command.allowUnreached)));
}

/** Writes the repro of a violation; a folder that cannot be written to costs the file, not the result. */
async function keep(scenario: Scenario, result: ExploreResult, out: string, output: Output): Promise<string | null> {
  if (result.outcome !== "violated") return null;
  const path = join(out, reproFileName(scenario.name));
  try {
    await writeRepro(path, result.repro);
    return path;
  } catch (error) {
    output.warn(error instanceof Error ? error.message : String(error));
    return null;
  }
}

/** What to add to `replay`: the file, and where its scenario comes from unless that is built in. */
function replayArguments(reproPath: string | null, files: readonly string[]): string | null {
  return reproPath === null ? null : [reproPath, ...files].map(quotedForShell).join(" ");
}

function quotedForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
