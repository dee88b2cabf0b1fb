/** A contract that can be proved: its policies and sizes by name, and how its states are explored. Knows no command. */
import type { Repro } from "../repro/repro.ts";
import { checkpoint, resume } from "../sim/model/checkpoint.ts";
import { Explorer } from "../sim/model/explorer.ts";
import type { Violation } from "../sim/model/judge.ts";
import { checkLiveness, type Fairness, type LivenessResult } from "../sim/model/liveness.ts";
import type { Model } from "../sim/model/model.ts";
import type { ModelResult, RunOptions } from "../sim/model/result.ts";
import type { Trace } from "../sim/model/trace.ts";

/** Policy and bounds in words and numbers, as a person gives them. */
export type PolicyChoice = Readonly<Record<string, string>>;
export type Sizes = Readonly<Record<string, number>>;

export type Provable = {
  readonly contract: string;
  /** The first is the default. */
  readonly policies: readonly PolicyChoice[];
  readonly bounds: Sizes;
  attempt(policy: PolicyChoice, bounds: Sizes): Attempt;
};

export type AnyModelResult = ModelResult<unknown, unknown, unknown>;
export type AnyLivenessResult = LivenessResult<unknown, unknown, unknown>;
export type Proved = {
  readonly safety: AnyModelResult;
  readonly liveness: AnyLivenessResult | null;
  /** What the counterexample has become; null where nothing is violated, or nobody can convert it. */
  readonly converted: Converted | null;
};

/** What a counterexample is to the host under the simulator: a repro that violates the same, or the reason why it is none. */
export type Converted = { readonly repro: Repro } | { readonly repro: null; readonly because: string };

/** Brings the host to do what the reducer did. */
export type Convert<State, Input, Effect> = (
  violation: Violation,
  trace: Trace<State, Input, Effect>,
) => Promise<Converted>;

/** One exploration, from its start or from where an earlier one has stopped. */
export type Attempt = {
  /** `kept`: its caller may ask for a checkpoint of it. */
  run(options: RunOptions & { readonly kept?: boolean }): Promise<Proved>;
  /** What an incomplete exploration has found, for another process to go on with. */
  checkpoint(): Uint8Array;
  /** Throws CheckpointError for bytes that belong to something else. */
  resume(bytes: Uint8Array): void;
};

/** The same model without symmetry, and smaller where it has to be, with what must not stay pending in it. */
export type Lively<State, Input, Effect> = {
  readonly model: Model<State, Input, Effect>;
  readonly fairness: Fairness<State, Input>;
};

/** Explores a model, and then judges liveness: on the same states where `lively` has the same model. */
export function attemptOf<State, Input, Effect>(
  model: Model<State, Input, Effect>,
  lively: Lively<State, Input, Effect> | null,
  convert: Convert<State, Input, Effect> | null = null,
): Attempt {
  let explorer = new Explorer(model);
  return {
    async run(options) {
      const safety = await explorer.run(options);
      const { violation, counterexample } = safety;
      const broken = convert !== null && violation !== null && counterexample !== null;
      const converted = broken ? await convert(violation, counterexample) : null;
      if (safety.outcome !== "proved" || lively === null) return { safety, liveness: null, converted };
      const explored = lively.model === model ? explorer : await exploredAll(lively.model, options);
      return { safety, liveness: await checkLiveness(explored, lively.fairness, options), converted };
    },
    checkpoint: () => checkpoint(explorer),
    resume(bytes) {
      explorer = resume(model, bytes);
    },
  };
}

async function exploredAll<State, Input, Effect>(
  model: Model<State, Input, Effect>,
  options: RunOptions,
): Promise<Explorer<State, Input, Effect>> {
  const explorer = new Explorer(model);
  await explorer.run(options);
  return explorer;
}
