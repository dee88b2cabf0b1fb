/**
 * Liveness on the states of a finished sweep. A budget only shrinks, so on a cycle nothing is paid for, and all that is on it
 * was reached with the same budget: a cycle of the model is a cycle of the states without their budgets, along free inputs.
 * With nothing left the fewest duties can be done, so it is judged as if nothing were left anywhere: what is stuck in the
 * model is stuck here too. Not the other way round, so whatever is stuck here is for the plain exploration to say.
 */
import type { BudgetedModel } from "./budget.ts";
import { Explored } from "./explored.ts";
import { type Fairness, type LivenessResult, Search } from "./liveness.ts";
import { inSlices } from "./slices.ts";
import type { Sweep } from "./sweep.ts";

/** Only for a sweep that has proved its model. Null where something may be stuck: nothing is said then. */
export async function checkSweptLiveness<State, Input, Effect>(
  model: BudgetedModel<State, Input, Effect>,
  sweep: Sweep<State, Input, Effect>,
  { obligations, duty }: Fairness<State, Input>,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<LivenessResult<State, Input, Effect> | null> {
  const { explored } = sweep.graph;
  const unpaid: BudgetedModel<State, Input, Effect> = {
    ...model,
    inputs(state, emit) {
      model.inputs(state, (input) => {
        // What changes nothing costs nothing, and may come for ever like what is free.
        if (model.price(state, input) === null || model.step(state, input).state === state) emit(input);
      });
    },
  };
  const pending: Record<string, number> = {};
  for (const obligation of obligations) {
    const search = new Search(new Explored(unpaid, explored), obligation, { obligations, duty });
    const found = await inSlices(() => search.step(), { signal });
    if (found === "aborted") return { outcome: "incomplete", why: "stopped by its caller", pending, violation: null };
    if (found !== "none") return null;
    let states = 0;
    for (let bare = 0; bare < explored.table.states; bare++)
      if (search.isPending(bare)) states += sweep.budgetsOf(bare);
    pending[obligation.name] = states;
  }
  return { outcome: "proved", why: null, pending, violation: null };
}
