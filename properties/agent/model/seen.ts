/** Looks at the effects of one step. They are few: a walk is cheaper than anything that would have to be kept. */

import type { AgentEffect, Message } from "../../../core/agent/state.ts";
import type { StateInvariant, StepInvariant } from "../../../sim/model/model.ts";
import type { World, WorldInput } from "./world.ts";

export type Always = StateInvariant<World>;
export type EveryStep = StepInvariant<World, WorldInput, AgentEffect>;

type Effects = readonly AgentEffect[];

export function has(effects: Effects, type: AgentEffect["type"]): boolean {
  for (const effect of effects) if (effect.type === type) return true;
  return false;
}

export function shows(effects: Effects, status: "idle" | "running"): boolean {
  for (const effect of effects) if (effect.type === "status" && effect.status === status) return true;
  return false;
}

export function opensTurn(effects: Effects): boolean {
  for (const effect of effects) if (effect.type === "append" && effect.record.type === "turn/start") return true;
  return false;
}

/** Whether anything begins: a driver, a turn or a step. */
export function starts(effects: Effects): boolean {
  return has(effects, "propose") || has(effects, "run-step") || shows(effects, "running") || opensTurn(effects);
}

/** The message that this step has accepted, in its final lane. */
export function accepted(effects: Effects): Message | null {
  for (const effect of effects) {
    if (effect.type === "append" && effect.record.type === "inbox/inserted") return effect.record.message;
  }
  return null;
}

/** Whether a wake was accepted: the one thing that may start what is parked. */
export function wakes(effects: Effects): boolean {
  return accepted(effects)?.wake === true;
}

export function isIdle({ past }: World): boolean {
  return past.request.kind === "none";
}

/** Whether a latched wake is still there to be replayed for. */
export function replayIsDue({ fates }: World): boolean {
  for (const { place, owed } of fates) if (place === "pending" && owed === "latched") return true;
  return false;
}
