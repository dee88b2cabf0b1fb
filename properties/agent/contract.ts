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

/** Hold at any time. What a rule forbids by name comes before what it also offends. */
export const always: readonly Invariant<History>[] = [
  singleWriter,
  turnEndBeforeTurnStart,
  disposeFence,
  clearedStaysCleared,
  parkedStaysParked,
  cancelBites,
  idleCancelArmsNothing,
  idleIsTrue,
  statusAlternates,
  atMostOnce,
  lateSteerQueues,
  laneOrder,
  contextNeverWakes,
  maintenanceExclusive,
  noEmptyReplay,
  idleWakeOpensTurn,
  toolsAreAnswered,
];

/** Hold when nothing is left to happen. */
export const atQuiescence: readonly Invariant<History>[] = [
  noDroppedWake,
  everyIdleWakeStarts,
  everyWaitEnds,
  disposeEnds,
];
