/** Judges anybody's lease scheduler by the promises of the contract that can be seen from outside. */

import { ExploreOptionsError } from "../../sim/bounds.ts";
import type { Scenario } from "../../sim/scenario.ts";
import { check } from "../kit/check.ts";
import { type CheckOptions, type CheckPlan, checkPlanOf } from "../kit/check-options.ts";
import type { CheckReport } from "../kit/check-report.ts";
import type { Family } from "../kit/family.ts";
import { Fixture } from "../kit/fixture.ts";
import { leaseFamily } from "./family.ts";
import { lateLeasePorts } from "./late-ports.ts";
import type { LeasePorts, LeaseSchedulerUnderTest } from "./ports.ts";

export type MakeLeaseScheduler = (ports: LeasePorts) => LeaseSchedulerUnderTest | Promise<LeaseSchedulerUnderTest>;

/**
 * Gives the scheduler that `make` returns scripts of commands (the kept ones, then drawn ones), explores the schedules of
 * each, and says which promises held and which were broken, each with a repro of one script. A promise that `make` returns
 * is awaited before the first command, and what it does is not explored. Throws ExploreOptionsError.
 *
 * It is judged by the contract's defaults: a wait of at most 600 000 ms, a stuck limit of 60 000 ms, paths that differ in
 * case are different, siblings queue in order of arrival. `policy` is an agent's and is refused. A scheduler that is made
 * with other limits is judged by a `script` that begins with them: `{ type: "policy", waitLimitMs: 5_000 }`. A call was
 * cancelled where its promise rejects with an AbortError, has expired where `retryable` of the error is true, and was
 * refused where it rejects with anything else; a `reason`, `path` and `holder` are judged where the error has a `reason`.
 */
export async function checkLeaseScheduler(make: MakeLeaseScheduler, options: CheckOptions = {}): Promise<CheckReport> {
  const plan = checkPlanOf(options);
  return check(...leaseCheck(make, plan), plan);
}

/** What a check needs of a lease scheduler. Throws ExploreOptionsError where the plan has an agent's policy. */
export function leaseCheck(
  make: MakeLeaseScheduler,
  plan: CheckPlan,
  name?: string,
): readonly [Family, Fixture<LeasePorts>] {
  const [policy] = Object.keys(plan.policy);
  if (policy !== undefined) {
    throw new ExploreOptionsError(
      `Cannot check: expected no policy, which is an agent's, found policy.${policy}; limits of a lease scheduler are the first step of a script`,
    );
  }
  const fixture = new Fixture<LeasePorts>({ make, unmake: plan.unmake, latePorts: lateLeasePorts });
  return [leaseFamily(fixture, name), fixture];
}

/**
 * The scenario that the repros of `checkLeaseScheduler` are about, to replay them: the script is in the repro. Throws
 * ExploreOptionsError.
 */
export function leaseSchedulerUnderTest(
  make: MakeLeaseScheduler,
  options: Pick<CheckOptions, "unmake" | "without"> & { readonly name?: string } = {},
): Scenario {
  const { name, ...asked } = options;
  const plan = checkPlanOf(asked);
  const [family, fixture] = leaseCheck(make, plan, name);
  fixture.foresee();
  return family.scenario({ without: plan.without, muted: new Set(), noted: true });
}
