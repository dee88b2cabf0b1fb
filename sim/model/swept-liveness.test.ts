import { expect, test } from "vitest";
import { type BudgetedModel, withBudget } from "./budget.ts";
import { Explorer } from "./explorer.ts";
import { checkLiveness, type Fairness } from "./liveness.ts";
import { Sweep } from "./sweep.ts";
import { checkSweptLiveness } from "./swept-liveness.ts";
import { type Walk, type Way, walk } from "./testing/walk.ts";

const arrives: Fairness<Walk, Way> = {
  obligations: [{ name: "arrives", pending: ({ at }) => at < 11 }],
  duty: (way) => (way === "on" || way === "rest" ? "goes on" : null),
};

async function both(model: BudgetedModel<Walk, Way, string>, fairness: Fairness<Walk, Way>) {
  const sweep = new Sweep(model);
  await sweep.run();
  const explorer = new Explorer(withBudget(model));
  await explorer.run();
  return [await checkSweptLiveness(model, sweep, fairness), await checkLiveness(explorer, fairness)] as const;
}

/** Resting is possible where one is tired, and nowhere else. */
const restless: typeof walk = {
  ...walk,
  inputs: (state, emit) => walk.inputs(state, (way) => (way !== "rest" || state.tired) && emit(way)),
};

test("checkSweptLiveness() proves what the plain check proves, of as many states", async () => {
  const [swept, plain] = await both(restless, arrives);
  expect(swept).toEqual(plain);
  expect([swept?.outcome, (swept?.pending.arrives ?? 0) > 100]).toEqual(["proved", true]);
});

test("checkSweptLiveness() says nothing of what may be stuck", async () => {
  // Who rests for ever does a duty, and never arrives.
  const [swept, plain] = await both(walk, arrives);
  expect([swept, plain.outcome]).toEqual([null, "violated"]);
  // A duty that is paid for cannot be done any more when nothing is left.
  const [dear, dearPlain] = await both(restless, { ...arrives, duty: (way) => (way === "ride" ? "rides" : null) });
  expect([dear, dearPlain.outcome]).toEqual([null, "violated"]);
});
