import { stringify } from "fast-check";
import { renderExplore } from "../../reports/console.ts";
import type { ExploreResult } from "../../repro/explore.ts";

/** How a value failed: the message tells the value, the orderings in words, and the swap that decides. */
export class RacePropertyError extends Error {
  override readonly name = "RacePropertyError";
  readonly #result: ExploreResult;
  readonly #values: readonly unknown[];

  constructor(name: string, result: ExploreResult, values: readonly unknown[]) {
    const options = { color: false, full: false, replayArguments: null, command: "npx microloom" };
    const [head = "", ...rest] = renderExplore(name, withoutScript(result), options);
    const lines = [head, `  with ${values.map((value) => stringify(value)).join(", ")}`, ...rest];
    super(`${lines.join("\n").trimEnd()}\n\n${again}`);
    this.#result = result;
    this.#values = values;
  }

  /** What was found under this value, the repro included; no property, because runners print those under the message. */
  get result(): ExploreResult {
    return this.#result;
  }

  /** What fast-check calls the counterexample: one value for each arbitrary. */
  get values(): readonly unknown[] {
    return this.#values;
  }

  /** Vitest prints what getters give, too, unless an error says what there is to be told of it. */
  toJSON(): { readonly name: string; readonly message: string } {
    return { name: this.name, message: this.message };
  }
}

/** The seed and the path are known to fast-check alone, which tells them above this message. */
const again =
  "  Replay it: fc.assert(property, { seed, path, endOnFailure: true }) with the seed and the path that fast-check tells";

/** The values stand in the message already, as fast-check writes them. */
export function withoutScript(result: ExploreResult): ExploreResult {
  return result.outcome === "violated" ? { ...result, repro: { ...result.repro, script: [] } } : result;
}
