import { checkSteps } from "../../properties/kit/check.ts";
import type { CheckPlan } from "../../properties/kit/check-options.ts";
import { type CheckOptions, checkPlanOf } from "../../properties/kit/check-options.ts";
import type { Broken, Problem } from "../../properties/kit/check-report.ts";
import type { Family } from "../../properties/kit/family.ts";
import type { FixtureState } from "../../properties/kit/fixture.ts";
import type { Verdict } from "../../sim/result.ts";

/** What the kit found when it looked for one breach. */
export type Found = { readonly executions: number; readonly verdict: Verdict; readonly orderings: number };

/** Makes all that a check needs of a subject, anew. */
export type Checked = (plan: CheckPlan) => readonly [Family, FixtureState];

/** Checks a subject until it breaks `invariant`; null when it has not within the budget. */
export async function findBreach(checked: Checked, invariant: string, options: CheckOptions): Promise<Found | null> {
  const plan = checkPlanOf(options);
  const [family, fixture] = checked(plan);
  for await (const { broken, foundAt } of checkSteps(family, fixture, plan)) {
    const at = broken.findIndex((each) => each.invariant === invariant);
    const [found, executions] = [broken[at], foundAt[at]];
    if (found === undefined || executions === undefined) continue;
    return { executions, verdict: found.verdict, orderings: found.repro.orderings.length };
  }
  return null;
}

/** Checks a control to the end; whatever it finds is wrong. */
export async function findAnything(
  checked: Checked,
  options: CheckOptions,
): Promise<{
  readonly executions: number;
  readonly broken: readonly Broken[];
  readonly problems: readonly Problem[];
  readonly notReached: readonly string[];
}> {
  const plan = checkPlanOf(options);
  const [family, fixture] = checked(plan);
  const steps = checkSteps(family, fixture, plan);
  for (;;) {
    const step = await steps.next();
    if (step.done === true) return step.value;
  }
}
