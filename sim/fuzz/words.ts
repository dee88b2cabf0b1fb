/**
 * The words of TypeErrors. V8 writes those of its own from the text that it runs (`x.y is not iterable`), and of lowered
 * text they are others: the microtask engine is held to everything else.
 */
import type { Engines } from "../engine-choice.ts";

/** A line of a log, as far as the engine has to log the same. */
export function heldTo(engine: Engines, line: string): string {
  return engine === "native" ? line : line.replace(/TypeError: «[^»]*»/g, "TypeError");
}

/** A failure, as far as it has to be the same. */
export function failureHeldTo(engine: Engines, failure: string | null): string | null {
  return engine === "native" || failure === null ? failure : failure.replace(/TypeError: .*$/s, "TypeError");
}
