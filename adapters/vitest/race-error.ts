import { renderExplore } from "../../reports/console.ts";
import type { ExploreResult } from "../../repro/explore.ts";

/** A race that was found, as a test failure: the message is the whole explanation. */
export class RaceError extends Error {
  override readonly name = "RaceError";
  /** What was found, the repro included. */
  readonly result: ExploreResult;

  /** `beneath` goes under the first line. */
  constructor(scenario: string, result: ExploreResult, reproPath: string | null, beneath: readonly string[] = []) {
    const options = { color: false, full: false, replayArguments: null, command: "npx microloom", keptAt: reproPath };
    const [head = "", ...rest] = renderExplore(scenario, result, options);
    super([head, ...beneath, ...rest].join("\n"));
    this.result = result;
  }
}
