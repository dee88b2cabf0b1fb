import { readConfigureGlobal } from "fast-check";
import { streamSeed } from "../../sim/random.ts";

/**
 * What fast-check is told beside the property. A type of its own, so that the types of `microloom/vitest` can be read
 * where fast-check is not installed.
 */
export type GenerationParameters<Values> = {
  /** Follows from the search's own seed unless it is given here or to all of fast-check. */
  readonly seed?: number;
  readonly path?: string;
  readonly numRuns?: number;
  readonly examples?: Values[];
  readonly maxSkipsPerRun?: number;
  readonly timeout?: number;
  readonly interruptAfterTimeLimit?: number;
  readonly skipAllAfterTimeLimit?: number;
  readonly markInterruptAsFailure?: boolean;
  readonly skipEqualValues?: boolean;
  readonly ignoreEqualValues?: boolean;
  readonly unbiased?: boolean;
  readonly verbose?: boolean | 0 | 1 | 2;
  readonly endOnFailure?: boolean;
};

/** The parameters with a seed: an exploration is the same on every machine unless somebody wants another one. */
export function seeded<Values>(
  parameters: GenerationParameters<Values>,
  seed: string,
): GenerationParameters<Values> & { readonly seed: number } {
  const [word] = streamSeed(`${seed}/values`, "schedule");
  return { ...parameters, seed: parameters.seed ?? readConfigureGlobal()?.seed ?? word };
}
