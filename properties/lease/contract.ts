/** The promises of a lease scheduler that can be checked from outside, in the order in which a breach is reported. */
import { fenceGrows } from "./invariants/fences.ts";
import {
  approvedFirst,
  controlCallsPass,
  keepsItsLease,
  parentChildExclusive,
  singleWriter,
} from "./invariants/leases.ts";
import { closeLeavesNothing, noGrantToTheDead, oneOutcome, toldAtOnce } from "./invariants/outcomes.ts";
import type { LeaseInvariant } from "./invariants/promise.ts";
import { arrivalOrder, noIdleWaiter, siblingCallsQueue } from "./invariants/queue.ts";
import { refusedForCause } from "./invariants/refusals.ts";
import { boundedWait, wakesInTime } from "./invariants/time.ts";

/** Hold between any two deliveries. What a rule forbids by name comes before what it also offends. */
export const always: readonly LeaseInvariant[] = [
  singleWriter,
  parentChildExclusive,
  noGrantToTheDead,
  approvedFirst,
  siblingCallsQueue,
  controlCallsPass,
  arrivalOrder,
  closeLeavesNothing,
  toldAtOnce,
  boundedWait,
  noIdleWaiter,
  refusedForCause,
  fenceGrows,
  keepsItsLease,
  wakesInTime,
];

/** Hold when nothing is left to happen. */
export const atQuiescence: readonly LeaseInvariant[] = [oneOutcome];
