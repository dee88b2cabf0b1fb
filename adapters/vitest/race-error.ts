import { renderExplore } from "../../reports/console.ts";
import type { KeptAt } from "../../reports/lines.ts";
import type { ExploreResult } from "../../repro/explore.ts";

/** A race that was found, as a test failure: the message is the whole explanation. */
export class RaceError extends Error {
  override readonly name = "RaceError";
  readonly #result: ExploreResult;

  /** `beneath` goes under the first line. */
  constructor(scenario: string, result: ExploreResult, keptAt: KeptAt | null, beneath: readonly string[] = []) {
    const options = { color: false, full: false, replayArguments: null, command: "npx microloom", keptAt };
    const [head = "", ...rest] = renderExplore(scenario, result, options);
    super([head, ...beneath, ...rest].join("\n"));
    this.#result = result;
  }

  /** What was found, the repro included; no property of the error, because runners print those under the message. */
  get result(): ExploreResult {
    return this.#result;
  }

  /** Vitest prints what getters give, too, unless an error says what there is to be told of it. */
  toJSON(): { readonly name: string; readonly message: string } {
    return { name: this.name, message: this.message };
  }
}
