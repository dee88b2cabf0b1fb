/** The promises of an agent that can be checked from outside, in the order in which a breach is reported. */
import type { Invariant } from "../invariant.ts";
import type { History } from "./history.ts";
import { singleWriter, turnEndBeforeTurnStart } from "./invariants/log.ts";
import { atMostOnce, contextNeverWakes, laneOrder, lateSteerQueues, noDroppedWake } from "./invariants/messages.ts";
import { everyWaitEnds, idleIsTrue, statusAlternates } from "./invariants/status.ts";
import {
  cancelBites,
  clearedStaysCleared,
  disposeEnds,
  disposeFence,
  idleCancelArmsNothing,
  parkedStaysParked,
} from "./invariants/stops.ts";
import {
  everyIdleWakeStarts,
  idleWakeOpensTurn,
  maintenanceExclusive,
  noEmptyReplay,
  toolsAreAnswered,
} from "./invariants/turns.ts";
import { inEveryReading } from "./readings.ts";
import type { Word } from "./words.ts";

export type JudgedInvariant = {
  readonly invariant: Invariant<History>;
  /** `always`: at any time, and once broken it stays so. `quiescence`: when nothing is left to happen. */
  readonly when: "always" | "quiescence";
  /** Where one of these is missing, the promise has nothing to be about. */
  readonly needs: readonly Word[];
};

const judged: readonly JudgedInvariant[] = [
  { invariant: singleWriter, when: "always", needs: [] },
  { invariant: turnEndBeforeTurnStart, when: "always", needs: [] },
  { invariant: disposeFence, when: "always", needs: ["dispose"] },
  { invariant: clearedStaysCleared, when: "always", needs: ["cancel-clear"] },
  { invariant: parkedStaysParked, when: "always", needs: ["cancel-keep"] },
  // Any stop will do for these two: to keep, to clear, or to dispose.
  { invariant: cancelBites, when: "always", needs: [] },
  { invariant: idleCancelArmsNothing, when: "always", needs: [] },
  { invariant: idleIsTrue, when: "always", needs: [] },
  { invariant: statusAlternates, when: "always", needs: [] },
  { invariant: atMostOnce, when: "always", needs: [] },
  { invariant: lateSteerQueues, when: "always", needs: ["next-step"] },
  { invariant: laneOrder, when: "always", needs: [] },
  { invariant: contextNeverWakes, when: "always", needs: ["next-step", "inject"] },
  { invariant: maintenanceExclusive, when: "always", needs: ["maintenance"] },
  { invariant: noEmptyReplay, when: "always", needs: [] },
  { invariant: idleWakeOpensTurn, when: "always", needs: [] },
  { invariant: toolsAreAnswered, when: "always", needs: [] },
  { invariant: noDroppedWake, when: "quiescence", needs: [] },
  { invariant: everyIdleWakeStarts, when: "quiescence", needs: [] },
  { invariant: everyWaitEnds, when: "quiescence", needs: [] },
  { invariant: disposeEnds, when: "quiescence", needs: ["dispose"] },
];

/** What a rule forbids by name comes before what it also offends. Two entries of one name are two halves of one promise. */
export const agentInvariants: readonly JudgedInvariant[] = judged.map((one) => ({
  ...one,
  invariant: inEveryReading(one.invariant),
}));

/** Hold at any time. */
export const always: readonly Invariant<History>[] = holdingAt("always");

/** Hold when nothing is left to happen. */
export const atQuiescence: readonly Invariant<History>[] = holdingAt("quiescence");

function holdingAt(moment: JudgedInvariant["when"]): readonly Invariant<History>[] {
  return agentInvariants.filter(({ when }) => when === moment).map(({ invariant }) => invariant);
}
