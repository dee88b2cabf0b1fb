/** Section 6 of the contract, judged on states and steps: every invariant that is to be seen from the kit or from the core. */
import type { AgentPolicy } from "../../../core/agent/state.ts";
import { logRebuildsInbox, nothingLostOnFault, singleWriter, turnEndBeforeTurnStart } from "./invariants/log.ts";
import { atMostOnce, contextNeverWakes, laneOrder, lateSteerQueues, noDroppedWake } from "./invariants/messages.ts";
import { activityAsks, idleIsTrue, lateReportHarmless, noReplayIsDue, statusAlternates } from "./invariants/status.ts";
import {
  cancelBites,
  clearedStaysCleared,
  disposeFence,
  idleCancelArmsNothing,
  parkedStaysParked,
} from "./invariants/stops.ts";
import { idleWakeOpensTurn, maintenanceExclusive, noEmptyReplay, toolsAreAnswered } from "./invariants/wakes.ts";
import type { Always, EveryStep } from "./seen.ts";

export const always: readonly Always[] = [logRebuildsInbox, activityAsks];

export const atQuiescence: readonly Always[] = [noDroppedWake, noReplayIsDue];

/** What a rule forbids by name comes before what it also offends. */
export function everyStep(policy: AgentPolicy): readonly EveryStep[] {
  return [
    lateReportHarmless,
    singleWriter,
    turnEndBeforeTurnStart,
    nothingLostOnFault,
    disposeFence,
    cancelBites,
    clearedStaysCleared,
    parkedStaysParked,
    noEmptyReplay,
    idleCancelArmsNothing,
    idleWakeOpensTurn,
    maintenanceExclusive,
    toolsAreAnswered,
    lateSteerQueues(policy),
    contextNeverWakes,
    atMostOnce,
    laneOrder,
    idleIsTrue,
    statusAlternates,
  ];
}
