import { builtInScenarios } from "../properties/index.ts";
import { renderExplore } from "../reports/console.ts";
import { oneLine } from "../reports/wording.ts";
import { type ExploreResult, explore } from "../repro/explore.ts";
import { replayInFull } from "../repro/replay.ts";
import type { Repro } from "../repro/repro.ts";
import type { Execution } from "../sim/execution.ts";
import type { ExploreOptions } from "../sim/result.ts";
import { type Scenario, ScenarioError } from "../sim/scenario.ts";
import { exitCodes, exitOfExplore, worstExit } from "./exit-codes.ts";
import { loadScenarios } from "./load.ts";
import type { Output } from "./output.ts";
import { canKeep, freePath, keepRepro, replayArguments } from "./repro-place.ts";

export type ExploreCommand = {
  readonly files: readonly string[];
  readonly options: ExploreOptions;
  readonly json: boolean;
  readonly full: boolean;
  readonly allowUnreached: boolean;
  /** Begins to listen for an interrupt; asked for once the scenarios are loaded. */
  readonly interrupted: () => AbortSignal;
  /** Folder for repro files. */
  readonly out: string;
};

/** Explores scenarios one after the other and returns the exit code. */
export async function runExplore(command: ExploreCommand, output: Output): Promise<number> {
  // What the code under test prints, as it is loaded and later, must not get between the braces.
  if (command.json) process.stdout.write = process.stderr.write.bind(process.stderr);
  const scenarios =
    command.files.length === 0
      ? [...builtInScenarios.values()]
      : await loadScenarios(command.files, { subjects: false });
  const keeps = await canKeep(command.out, output);
  // From here on Ctrl-C ends the current batch; before, nothing is known that could be reported.
  const signal = command.interrupted();
  const results: { readonly scenario: string; readonly result: ExploreResult }[] = [];
  const taken = new Set<string>();
  let malformed = false;
  for (const scenario of scenarios) {
    if (signal.aborted) {
      output.warn(`${oneLine(scenario.name)}: not explored`);
      continue;
    }
    let result: ExploreResult;
    try {
      result = await explore(scenario, { ...command.options, signal });
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      // One that is built wrongly must not keep the others from being explored.
      output.warn(`${oneLine(scenario.name)}: ${error.message}`);
      malformed = true;
      continue;
    }
    results.push({ scenario: scenario.name, result });
    const path = freePath(command.out, scenario.name, taken);
    const kept = keeps && result.outcome === "violated" ? await keepRepro(result.repro, path, output) : null;
    if (command.json) continue;
    const { full } = command;
    const execution = full && result.outcome === "violated" ? await told(scenario, result.repro) : null;
    const again = replayArguments(kept, command.files);
    output.lines(renderExplore(scenario.name, result, { ...output.style, full, execution, replayArguments: again }));
  }
  if (signal.aborted) output.warn("interrupted: what is reported is what was known by then");
  if (command.json) output.json({ format: 1, results });
  if (malformed) return exitCodes.usage;
  const exit = worstExit(results.map(({ result }) => exitOfExplore(result, command.allowUnreached)));
  // Nothing broke as far as it went; but it did not go all the way, and nobody may build on that.
  return signal.aborted && exit === exitCodes.held ? exitCodes.interrupted : exit;
}

/** The failing execution with everything that was noted in it; a result carries only what a file could. */
async function told(scenario: Scenario, repro: Repro): Promise<Execution | null> {
  const { execution, result } = await replayInFull(scenario, repro);
  return result.outcome === "violated" ? execution : null;
}
