import { renderReplay } from "../reports/console.ts";
import type { Repro } from "../repro/repro.ts";
import { readRepro, writeRepro } from "../repro/repro-file.ts";
import { reproSentences } from "../repro/sentences.ts";
import { shrinkAgain } from "../repro/shrink-again.ts";
import { exitCodes, exitOfReplay, UsageError } from "./exit-codes.ts";
import { findScenario, loadScenarios } from "./load.ts";
import type { Output } from "./output.ts";

export type ShrinkCommand = {
  readonly repro: string;
  readonly files: readonly string[];
  /** Where the result goes; null: nowhere, unless `write` says in place. */
  readonly out: string | null;
  readonly write: boolean;
  readonly json: boolean;
};

/** Shrinks one repro again and returns the exit code: 0 where it still fails as recorded, whether or not it got smaller. */
export async function runShrink(command: ShrinkCommand, output: Output): Promise<number> {
  if (command.out !== null && command.write) {
    throw new UsageError("Cannot shrink into two files: expected --out or --write, found both");
  }
  const repro = await readRepro(command.repro);
  const scenario = findScenario(repro.scenario, await loadScenarios(command.files));
  const shrunk = await shrinkAgain(scenario, repro);
  const { result, steps } = shrunk;
  if (shrunk.repro === null || steps === null) {
    if (command.json) output.json({ format: 1, scenario: scenario.name, result, shrunk: null, written: null });
    else {
      const style = { ...output.style, full: false, replayArguments: null };
      output.lines([
        ...renderReplay(scenario.name, repro, result, style),
        "  Not shrunk: it does not fail as recorded, so there is nothing to go by",
      ]);
    }
    const exit = exitOfReplay(result);
    return exit === exitCodes.untrusted ? exit : exitCodes.noLongerFits;
  }
  const path = command.write ? command.repro : command.out;
  if (path !== null) await writeRepro(path, shrunk.repro);
  if (command.json) {
    output.json({ format: 1, scenario: scenario.name, result, shrunk: shrunk.repro, written: path });
    return exitCodes.held;
  }
  const counts = (["script", "orderings", "faults", "data"] as const).map((key) => {
    return `${key} ${countOf(repro, key)} → ${countOf(shrunk.repro ?? repro, key)}`;
  });
  output.lines([
    `${scenario.name}  ${[...counts, `steps ${steps[0]} → ${steps[1]}`].join(", ")}`,
    ...reproSentences(shrunk.repro).map((sentence) => `  ${sentence}`),
    path === null ? "  Nothing was written: pass --write to do it in place, or --out" : `  Written to ${path}`,
  ]);
  return exitCodes.held;
}

function countOf(repro: Repro, key: "script" | "orderings" | "faults" | "data"): number {
  return key === "data" ? repro.data.filter((index) => index > 0).length : repro[key].length;
}
