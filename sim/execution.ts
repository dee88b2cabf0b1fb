import type { Fault, Violation } from "./result.ts";
import type { Touches } from "./scenario.ts";

/** One delivery of an execution, as it was placed. */
export type TraceStep = {
  readonly name: string;
  /** What could have been delivered instead, this delivery included, in first-come order. */
  readonly possible: readonly string[];
  /** Index into `possible`; 0 is the first-come choice. */
  readonly chosen: number;
  /**
   * 0: arrived on an empty microtask queue. k: arrived at tick k of the drain of the delivery before it, ahead of the
   * jobs of that tick; 1 is before any job has run.
   */
  readonly tick: number;
  readonly fault: "fail" | "hang" | null;
  readonly nowMs: number;
  /** The delivery in whose drain this one was asked for (for an event step: the step before it); null at the start. */
  readonly askedBy: string | null;
  readonly source: string;
  /** What the scenario declared that the delivery and its drain touch; null: nothing declared, so everything. */
  readonly touches: Touches | null;
  /** What they were seen to touch of the simulator's own things. */
  readonly observed: Required<Touches>;
  /** Deliveries that they took back: timers cleared, immediates cancelled. */
  readonly cancelled: readonly string[];
  /** The same, in full; absent where there are none. */
  readonly takenBack?: readonly TakenBack[];
  readonly notes: readonly TraceNote[];
  /** Delivered in fair order, after the safety phase: nobody was asked, so nothing else was possible. */
  readonly fair?: true;
};

/** The steps in which the chooser decided. */
export function chosenSteps({ steps }: { readonly steps: readonly TraceStep[] }): readonly TraceStep[] {
  return steps.filter(({ fair }) => fair !== true);
}

/** A timer or immediate that never came. */
export type TakenBack = {
  readonly name: string;
  readonly source: string;
  readonly kind: "timer" | "immediate";
  readonly askedBy: string | null;
};

export type TraceNote = {
  readonly event: string;
  readonly data: unknown;
  /** Written while a condition looked, so it is not the delivery's own. */
  readonly byCondition?: boolean;
};

/** One run of a scenario, told in full. */
export type Execution = {
  /** What was noted before the first delivery. */
  readonly opening: readonly TraceNote[];
  readonly steps: readonly TraceStep[];
  readonly violation: Violation | null;
  /** Indexes picked by `choose`, in order. */
  readonly data: readonly number[];
  /** Faults that struck, late arrivals included, in order of delivery. */
  readonly faults: readonly Fault[];
  /** Names of deliveries that were open at once with an equal source and label: a `key` would tell them apart. */
  readonly ambiguous: readonly string[];
  /** Deliveries that were still open at the end. */
  readonly left: readonly string[];
};

/** A delivery as a strategy sees it at a choice point. */
export interface PossibleDelivery {
  /** `source:label#occurrence`. */
  readonly name: string;
  readonly source: string;
  readonly kind: DeliveryKind;
  /** All deliveries of one source and label; `id` is small, and the same throughout a campaign. */
  readonly family: { readonly id: number; readonly label: string };
  /** Declared; null: everything. */
  readonly touches: Touches | null;
  /** Seen so far, once it was delivered; only where executions are told in full. */
  readonly observed: { readonly touches: Required<Touches> } | null;
}
/** `job`: at level free only, a continuation or another job of the microtask queue. */
export type DeliveryKind = "io" | "timer" | "immediate" | "event" | "start" | "job";

/**
 * Decides everything that is open in one execution. The engine calls it only where there is more than one option.
 * Index 0 is always the first-come choice, so a chooser that answers 0 runs the first-come schedule.
 */
export interface Chooser {
  /** Picks one of the first `count` of `possible` (a reused array: do not keep it), in first-come order. */
  delivery(possible: readonly PossibleDelivery[], count: number): number;
  /** Level jitter: picks who arrives inside the drain of `after`; 0 nobody, i for `candidates[i - 1]`. Called also when count is 1. */
  companion(candidates: readonly PossibleDelivery[], count: number, after: PossibleDelivery): number;
  /** Picks how many ticks in, 1 … most. */
  ticks(most: number, companion: PossibleDelivery): number;
  /** Picks the data of a `choose`, 0 … count - 1. */
  data(label: string, count: number): number;
  /** Picks what an I/O that may fail or hang does: an index into `kinds`, whose first is always `none`. */
  fault(delivery: PossibleDelivery, kinds: readonly ("none" | "fail" | "hang")[]): number;
  /** Told after every delivery has been placed, whether chosen or forced. */
  delivered(delivery: PossibleDelivery): void;
  /** Level jitter, only while `measures` is true: the length of the last drain in ticks. */
  drained(ticks: number): void;
  readonly measures: boolean;
}
