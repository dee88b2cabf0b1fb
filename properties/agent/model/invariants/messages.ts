/** What must be true of each message: where it may end up, in which order, and with whom. */
import type { AgentEffect, AgentPolicy } from "../../../../core/agent/state.ts";
import { type Always, accepted, type EveryStep, has, isIdle, opensTurn, starts } from "../seen.ts";
import { type Fate, idOf, indexOf, type World } from "../world.ts";

/** Asked at quiescence. */
export const noDroppedWake: Always = {
  name: "agent/no-dropped-wake",
  violation({ fates }) {
    for (let index = 0; index < fates.length; index++) {
      const fate = fates[index];
      if (fate !== undefined && fate.owed !== "no") return `${idOf(index)} waits for a turn, and nobody will run it`;
    }
    return null;
  },
};

export const atMostOnce: EveryStep = {
  name: "agent/at-most-once",
  violation({ fates }, _input, _after, effects) {
    let gone = 0;
    for (const effect of effects) {
      if (effect.type === "run-step") {
        for (const { id } of effect.messages) {
          // It must have come out of the batch in this very step.
          const fate = fates[indexOf(id)];
          if (fate !== undefined && fate.place !== "batch") return `${id} runs, and it was ${fate.place}`;
        }
      }
      if (effect.type !== "append") continue;
      const { record } = effect;
      if (record.type === "inbox/inserted") {
        const fate = fates[indexOf(record.message.id)];
        if (fate !== undefined) return `${record.message.id} is accepted again, and it is ${fate.place}`;
      }
      if (record.type !== "user/message" && (record.type !== "inbox/removed" || record.outcome === "claimed")) continue;
      const id = record.type === "user/message" ? record.message.id : record.id;
      const index = indexOf(id);
      const fate = fates[index];
      if (fate === undefined) continue;
      const entersElsewhere = record.type === "user/message" && fate.place !== "batch";
      if (((gone >> index) & 1) === 1 || fate.place === "over" || fate.place === "cleared" || entersElsewhere) {
        return `${record.type} of ${id}, which was ${fate.place}`;
      }
      gone |= 1 << index;
    }
    return null;
  },
};

export const laneOrder: EveryStep = {
  name: "agent/lane-order",
  violation(before, _input, after, effects) {
    let last = -1;
    for (const effect of effects) {
      if (effect.type !== "append" || effect.record.type !== "user/message") continue;
      const { id } = effect.record.message;
      const index = indexOf(id);
      const fate = before.fates[index];
      if (fate === undefined) continue;
      if (last > index && before.fates[last]?.lane === fate.lane) return `${id} enters after ${idOf(last)}`;
      if (index > last) last = index;
      for (let earlier = 0; earlier < index; earlier++) {
        if (waits(after.fates[earlier], fate)) return `${id} enters, and ${idOf(earlier)} still waits in its lane`;
      }
    }
    return null;
  },
};

function waits(fate: Fate | undefined, other: Fate): boolean {
  return fate !== undefined && fate.lane === other.lane && (fate.place === "pending" || fate.place === "batch");
}

/**
 * Two rules from which the promise follows without a memory of who shares a turn: what is accepted late is a prompt, and
 * no turn takes a second prompt.
 */
export function lateSteerQueues({ claim }: AgentPolicy): EveryStep {
  return {
    name: "agent/late-steer-queues",
    violation(before, _input, _after, effects) {
      const message = accepted(effects);
      if (message?.wake && message.lane === "next-step" && isLate(before)) {
        return `${message.id} is accepted late and would steer`;
      }
      return claim === "one" ? takesSecondPrompt(before, effects) : null;
    },
  };
}

function isLate({ past }: World): boolean {
  return past.stopped || (past.request.kind === "write" && past.request.record.type === "turn/end");
}

function takesSecondPrompt({ fates, past }: World, effects: readonly AgentEffect[]): string | null {
  // Only the first claim of a turn may take one.
  let prompts = past.request.kind === "write" ? 0 : 1;
  for (const effect of effects) {
    if (effect.type !== "append" || effect.record.type !== "inbox/removed") continue;
    const { id, outcome } = effect.record;
    if (outcome !== "claimed" || fates[indexOf(id)]?.lane !== "next-turn") continue;
    prompts++;
    if (prompts > 1) return `${id} shares a turn with an earlier prompt`;
  }
  return null;
}

export const contextNeverWakes: EveryStep = {
  name: "agent/context-never-wakes",
  violation(before, input, _after, effects) {
    if (input.type === "send") {
      const idles = !input.message.wake && isIdle(before);
      return idles && starts(effects) ? `${input.message.id} starts something, and it does not wake` : null;
    }
    if (input.type === "written" && input.record.type === "turn/end") {
      const wanted = before.past.debt || holds(before, ({ wake, lane }) => wake || lane === "next-turn");
      return opensTurn(effects) && !wanted ? "a turn opens with nothing but context pending" : null;
    }
    if (input.type === "stepped" && (input.outcome === "completed" || input.outcome === "max-tokens")) {
      const steered = holds(before, ({ wake, lane }) => wake && lane === "next-step");
      return has(effects, "propose") && !steered ? "a finished turn takes another step for context" : null;
    }
    return null;
  },
};

function holds({ fates }: World, fits: (fate: Fate) => boolean): boolean {
  for (const fate of fates) if (fate.place === "pending" && fits(fate)) return true;
  return false;
}
