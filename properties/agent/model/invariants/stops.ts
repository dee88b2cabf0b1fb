/** What a stop does, and what it leaves alone. */

import type { AgentEffect } from "../../../../core/agent/state.ts";
import { accepted, type EveryStep, has, isIdle, opensTurn, shows, starts, wakes } from "../seen.ts";
import { type Fate, indexOf, type World } from "../world.ts";

export const parkedStaysParked: EveryStep = {
  name: "agent/parked-stays-parked",
  violation({ past }, _input, _after, effects) {
    return past.hold === "parked" && starts(effects) && !wakes(effects)
      ? "something starts after a stop, and nothing has woken the agent since"
      : null;
  },
};

export const clearedStaysCleared: EveryStep = {
  name: "agent/cleared-stays-cleared",
  violation(before, input, after, effects) {
    if (input.type === "cancel" && !input.keepInbox) return survivesClear(after);
    if (before.past.hold === "cleared" && starts(effects) && !wakes(effects)) {
      return "something starts after a clear, and nothing has woken the agent since";
    }
    return entersCleared(before.fates, effects);
  },
};

function survivesClear({ fates }: World): string | null {
  for (const { place } of fates) {
    if (place === "pending" || place === "batch") return `a message is still ${place} after a clear`;
  }
  return null;
}

function entersCleared(fates: readonly Fate[], effects: readonly AgentEffect[]): string | null {
  for (const effect of effects) {
    if (effect.type !== "run-step") continue;
    for (const { id } of effect.messages) {
      if (fates[indexOf(id)]?.place === "cleared") return `${id} runs, and it was cleared`;
    }
  }
  return null;
}

export const cancelBites: EveryStep = {
  name: "agent/cancel-bites",
  violation({ past }, _input, _after, effects) {
    return past.stopped && (has(effects, "propose") || has(effects, "run-step"))
      ? "a request after the stop of its activity"
      : null;
  },
};

export const idleCancelArmsNothing: EveryStep = {
  name: "agent/idle-cancel-arms-nothing",
  violation(before, input, after, effects) {
    if (input.type === "cancel" && isIdle(before)) {
      for (const { type } of effects) if (type !== "append") return `a cancel at idle gives ${type}`;
      if (after.agent.phase.kind !== "idle") return "a cancel at idle leaves it";
    }
    if (before.past.stopped) return null;
    for (const effect of effects) {
      const aborted =
        effect.type === "append" && effect.record.type === "turn/end" && effect.record.reason.kind === "aborted";
      // What an older driver could not write says what happened then.
      if (aborted && !shows(effects, "running")) return "a turn ends as aborted, and nothing has stopped it";
    }
    return null;
  },
};

export const disposeFence: EveryStep = {
  name: "agent/dispose-fence",
  violation(before, input, after, effects) {
    if (input.type === "crash") return null;
    const { disposal } = before.past;
    if (disposal !== "none") {
      if (has(effects, "run-maintenance")) return "maintenance begins after dispose";
      if (opensTurn(effects) || starts(effects)) return "something starts after dispose";
      if (accepted(effects) !== null && after.fates.at(-1)?.owed !== "no") return "a wake after dispose is owed a turn";
    }
    if (has(effects, "disposed") && (disposal === "reached" || after.past.disposal !== "reached")) {
      return "disposed is announced twice, or for nothing";
    }
    return isIdle(after) && after.past.disposal === "asked" ? "idle after dispose, and disposed is not reached" : null;
  },
};
