/** A race that was found once is replayed before anything is searched, from a file in `repros/` beside the test. */
import { access } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { renderReplay } from "../../reports/replay.ts";
import { type ReplayResult, replay } from "../../repro/replay.ts";
import { type Repro, ReproError } from "../../repro/repro.ts";
import { readRepro, reproFileName } from "../../repro/repro-file.ts";
import type { Scenario } from "../../sim/scenario.ts";

/** A kept repro says that something is not as it should be: the message is what `microloom replay` would say. */
export class KeptReproError extends Error {
  override readonly name = "KeptReproError";
}

/** Where the repro of a race is kept, as seen from where the tests are run. */
export function keptPath(testFile: string, race: string): string {
  return relative(process.cwd(), join(dirname(testFile), "repros", reproFileName(race)));
}

/**
 * Replays the kept repro where there is one. Throws KeptReproError unless it expects to hold, and does; ReproError for a
 * file that is none, or of another race.
 */
export async function replayKept(scenario: Scenario, path: string): Promise<void> {
  if (!(await exists(path))) return;
  const repro = await readRepro(path);
  if (repro.scenario !== scenario.name) {
    const found = `expected a repro of "${scenario.name}", found one of "${repro.scenario}"`;
    throw new ReproError(`Cannot replay ${path}: ${found}; move it away, or rename the race and the file`);
  }
  const result = await replay(scenario, repro);
  if (result.outcome === "held" && repro.expect === "held") return;
  const options = { color: false, full: false, replayArguments: null, command: "npx microloom" };
  const lines = renderReplay(scenario.name, repro, result, options);
  throw new KeptReproError([...lines, `  Replayed from ${path}${whatToDo(repro, result)}`].join("\n"));
}

function whatToDo({ expect }: Repro, { outcome }: ReplayResult): string {
  if (outcome === "violated" && expect === "violation") {
    return ': once it is fixed, set "expect" to "held" and "choices" to null in it';
  }
  if (outcome === "no-longer-fits") return ": remove the file, and this test searches for the failure anew";
  return "";
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
