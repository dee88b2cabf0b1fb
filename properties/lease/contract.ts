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
import { spawnAllOrNothing } from "./invariants/spawns.ts";
import { boundedWait, wakesInTime } from "./invariants/time.ts";
import type { LeaseWord } from "./scripts.ts";

/** Hold between any two deliveries. What a rule forbids by name comes before what it also offends. */
export const always: readonly LeaseInvariant[] = [
  singleWriter,
  parentChildExclusive,
  spawnAllOrNothing,
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

export type JudgedLease = {
  readonly invariant: LeaseInvariant;
  readonly when: "always" | "quiescence";
  /** Where one of these is missing, nothing about it can be judged. */
  readonly needs: readonly LeaseWord[];
};

/** What is known of a core alone: it tells when its timer comes, and what it would answer right before a write. */
const fromInside: readonly LeaseInvariant[] = [keepsItsLease, wakesInTime];
const needs: ReadonlyMap<LeaseInvariant, readonly LeaseWord[]> = new Map<LeaseInvariant, readonly LeaseWord[]>([
  [parentChildExclusive, ["children"]],
  [spawnAllOrNothing, ["children"]],
  [approvedFirst, ["approvals"]],
  [closeLeavesNothing, ["close"]],
]);

/** What anybody's scheduler is judged by. */
export const leaseInvariants: readonly JudgedLease[] = [
  ...always.map((invariant) => ({ invariant, when: "always" as const })),
  ...atQuiescence.map((invariant) => ({ invariant, when: "quiescence" as const })),
]
  .filter(({ invariant }) => !fromInside.includes(invariant))
  .map((judged) => ({ ...judged, needs: needs.get(judged.invariant) ?? [] }));
