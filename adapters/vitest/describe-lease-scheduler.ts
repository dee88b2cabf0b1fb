import type { CheckOptions } from "../../properties/kit/check-options.ts";
import { checkLeaseScheduler, type MakeLeaseScheduler } from "../../properties/lease/check-lease-scheduler.ts";
import { leasePromises } from "../../properties/lease/family.ts";
import { type DescribeCheckOptions, describeCheck } from "./describe-check.ts";

/** Declares a test for each promise that a lease scheduler has to keep, and judges it once for all of them. */
export function describeLeaseScheduler(
  name: string,
  make: MakeLeaseScheduler,
  options: DescribeCheckOptions = {},
): void {
  const run = (asked: CheckOptions) => checkLeaseScheduler(make, asked);
  describeCheck(name, { promises: leasePromises, run, underTest: "leaseSchedulerUnderTest" }, options);
}
