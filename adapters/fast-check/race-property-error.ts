import { stringify } from "fast-check";
import { renderExplore } from "../../reports/console.ts";
import type { ExploreResult } from "../../repro/explore.ts";

/** How a value failed: the message tells the value, the orderings in words, and the swap that decides. */
export class RacePropertyError extends Error {
  override readonly name = "RacePropertyError";
  /** What was found under this value, the repro included. */
  readonly result: ExploreResult;
  /** What fast-check calls the counterexample: one value for each arbitrary. */
  readonly values: readonly unknown[];

  constructor(name: string, result: ExploreResult, values: readonly unknown[]) {
    const options = { color: false, full: false, replayArguments: null, command: "npx microloom" };
    const [head = "", ...rest] = renderExplore(name, withoutScript(result), options);
    super([head, `  with ${values.map((value) => stringify(value)).join(", ")}`, ...rest].join("\n").trimEnd());
    this.result = result;
    this.values = values;
  }
}

/** The values stand in the message already, as fast-check writes them. */
export function withoutScript(result: ExploreResult): ExploreResult {
  return result.outcome === "violated" ? { ...result, repro: { ...result.repro, script: [] } } : result;
}
