/** What must be true of the log and of who writes it. */

import type { Message } from "../../../../core/agent/state.ts";
import { type Always, type EveryStep, has } from "../seen.ts";
import { indexOf, isAnswer, type World } from "../world.ts";

export const turnEndBeforeTurnStart: EveryStep = {
  name: "agent/turn-end-before-turn-start",
  violation({ past }, input) {
    if (input.type !== "written") return null;
    const { logTurn, logOpen } = past;
    const { type, turn } = input.record;
    const fits = type === "turn/start" ? !logOpen && turn === logTurn + 1 : logOpen && turn === logTurn;
    return fits ? null : `${type} ${turn} lands after ${logOpen ? "the start" : "the end"} of turn ${logTurn}`;
  },
};

export const singleWriter: EveryStep = {
  name: "agent/single-writer",
  violation({ past }, input, _after, effects) {
    let open = past.request.kind === "none" || input.type === "crash" || isAnswer(input) ? 0 : 1;
    for (const effect of effects) {
      const { type } = effect;
      if (type === "propose" || type === "run-step" || type === "run-maintenance") open++;
      else if (type === "append" && (effect.record.type === "turn/start" || effect.record.type === "turn/end")) open++;
      else continue;
      if (open > 1) return `${type} while another request is open`;
    }
    return null;
  },
};

/** What `restore` would give is known of every message: where it is, and that each lane is in the order of acceptance. */
export const logRebuildsInbox: Always = {
  name: "agent/log-rebuilds-inbox",
  violation(world) {
    const { agent } = world;
    return laneDiffers(world, "next-turn", agent.nextTurn) ?? laneDiffers(world, "next-step", agent.nextStep);
  },
};

function laneDiffers({ agent, fates }: World, lane: Message["lane"], pending: readonly Message[]): string | null {
  const batch = agent.phase.kind === "running" ? agent.phase.batch : none;
  let last = -1;
  let count = 0;
  for (let at = 0; at < batch.length + pending.length; at++) {
    const claimed = at < batch.length;
    const message = claimed ? batch[at] : pending[at - batch.length];
    if (message === undefined || (claimed && message.lane !== lane)) continue;
    const index = indexOf(message.id);
    const fate = fates[index];
    const fits =
      fate !== undefined &&
      fate.place === (claimed ? "batch" : "pending") &&
      fate.lane === lane &&
      message.lane === lane &&
      fate.wake === message.wake &&
      index > last;
    if (!fits) return `${message.id} is live in ${lane}, and by the log it is ${fate?.place ?? "unknown"} or elsewhere`;
    last = index;
    count++;
  }
  for (let index = 0; index < fates.length; index++) {
    const fate = fates[index];
    if (fate !== undefined && fate.lane === lane && (fate.place === "pending" || fate.place === "batch")) count--;
  }
  return count === 0 ? null : `${lane} lacks ${-count} of the messages that the log holds`;
}

const none: readonly Message[] = [];

export const nothingLostOnFault: EveryStep = {
  name: "agent/nothing-lost-on-fault",
  violation(before, input, after, effects) {
    const failed = input.type === "write-failed";
    const owed = failed ? input.record : before.agent.unwritten;
    if (owed === null || input.type === "crash") return null;
    if (failed && !has(effects, "fault")) return "nobody hears of the fault";
    for (const effect of effects) {
      if (effect.type !== "append") continue;
      const { record } = effect;
      if (record.type !== "turn/start" && record.type !== "turn/end") continue;
      const same =
        record.type === owed.type &&
        record.turn === owed.turn &&
        (record.type === "turn/start" || owed.type === "turn/start" || record.reason.kind === owed.reason.kind);
      return same ? null : `${record.type} ${record.turn} is written before ${owed.type} ${owed.turn}`;
    }
    const { unwritten } = after.agent;
    return unwritten?.type === owed.type ? null : `${owed.type} ${owed.turn} is forgotten`;
  },
};
