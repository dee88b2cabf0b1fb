import { renderExplore } from "../../reports/console.ts";
import type { ExploreResult } from "../../repro/explore.ts";

/** A race that was found, as a test failure: the message is the whole explanation. */
export class RaceError extends Error {
  override readonly name = "RaceError";
  /** What was found, the repro included. */
  readonly result: ExploreResult;

  constructor(scenario: string, result: ExploreResult, reproPath: string | null) {
    const options = { color: false, full: false, replayArguments: null, command: "npx microloom" };
    const kept = reproPath === null ? [] : [`  The repro is in ${reproPath}`];
    super([...renderExplore(scenario, result, options), ...kept].join("\n"));
    this.result = result;
  }
}
