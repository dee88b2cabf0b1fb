/** A proof by sweep, and by the plain exploration where the sweep does not suffice. */
import type { BudgetedModel } from "../sim/model/budget.ts";
import { countBudgets } from "../sim/model/budget-sets.ts";
import type { Fairness } from "../sim/model/liveness.ts";
import { Sweep } from "../sim/model/sweep.ts";
import { checkSweptLiveness } from "../sim/model/swept-liveness.ts";
import type { Attempt } from "./proof.ts";

/** Beyond this most of a set would be empty. */
const mostBudgets = 2 ** 16;

/**
 * Sweeps first. Whatever may be broken is left to `plain`, whose model is the same with its budget; so is an exploration
 * that is to be kept, because only the plain one can be.
 */
export function sweptFirst<State, Input, Effect>(
  model: BudgetedModel<State, Input, Effect>,
  fairness: Fairness<State, Input>,
  plain: Attempt,
): Attempt {
  return {
    async run(options) {
      if (options.kept === true || countBudgets(model.budget) > mostBudgets) return plain.run(options);
      const sweep = new Sweep(model);
      const safety = await sweep.run(options);
      if (safety === null) return plain.run(options);
      if (safety.outcome !== "proved") return { safety, liveness: null, converted: null };
      const liveness = await checkSweptLiveness(model, sweep, fairness, options);
      return liveness === null ? plain.run(options) : { safety, liveness, converted: null };
    },
    checkpoint: plain.checkpoint,
    resume: plain.resume,
  };
}
