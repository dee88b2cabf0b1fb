/** The situations that an exploration has to come across, or that nothing is broken means nothing. */
import type { Footprint, LeaseEffect, LeasePolicy } from "../../../core/lease/state.ts";
import type { Goal } from "../../../sim/model/model.ts";
import type { Ground } from "./ground.ts";
import type { Setting } from "./rules.ts";
import { type Deed, endedBy, type LeaseWorld } from "./world.ts";

type LeaseGoal = Goal<LeaseWorld, Deed, LeaseEffect>;

const some = (effects: readonly LeaseEffect[], type: LeaseEffect["type"]) =>
  effects.some((effect) => effect.type === type);
const refusedFor = (effects: readonly LeaseEffect[], ...reasons: readonly string[]) =>
  effects.some((effect) => effect.type === "refused" && reasons.includes(effect.reason));

export function goalsOf({ ground }: Setting): readonly LeaseGoal[] {
  return [
    { name: "a queue of three", reached: (_before, _deed, after) => after.lease.queue.length >= 3 },
    {
      name: "a waiter passes a blocked one that it does not overlap",
      reached: (before, _deed, after, effects) => effects.some((effect) => passes(ground, before, after, effect)),
    },
    {
      name: "a cancelled head lets the next one in",
      reached: (before, deed, _after, effects) =>
        deed.type === "abort" && headLeaves(before, deed, effects, "cancelled"),
    },
    {
      name: "an expired head lets the next one in",
      reached: (before, deed, _after, effects) => headLeaves(before, deed, effects, "expired"),
    },
    {
      name: "a close with each stage present",
      reached: (before, deed) =>
        deed.type === "close" &&
        new Set(deed.owning.map((id) => before.lease.calls.get(id)?.stage ?? "child")).size === 4,
    },
    {
      name: "a spawn is refused for a root call",
      reached: (_b, _d, _a, effects) => refusedFor(effects, "root-writing"),
    },
    {
      name: "a root call is refused for a child",
      reached: (_b, _d, _a, effects) => refusedFor(effects, "child-writing"),
    },
    { name: "a spawn is refused for a child", reached: (_b, _d, _a, effects) => refusedFor(effects, "child-conflict") },
    {
      name: "a stuck child is fenced off",
      reached: (_b, _d, _a, effects) => effects.some((effect) => effect.type === "fenced" && "child" in effect),
    },
    {
      name: "a stuck call is fenced off, and the one behind it runs in time",
      reached: (_b, deed, _a, effects) => deed.type === "tick" && some(effects, "fenced") && some(effects, "granted"),
    },
    {
      name: "an abort between grant and run",
      reached: (before, deed) => deed.type === "abort" && before.told.get(deed.call) === "runs",
    },
    {
      name: "a yes that comes when its deadline has passed",
      reached: (before, deed, after) => {
        if (deed.type !== "approve") return false;
        const deadlineMs = before.lease.calls.get(deed.call)?.deadlineMs ?? null;
        return before !== after && deadlineMs !== null && deadlineMs <= before.nowMs;
      },
    },
    {
      name: "a command runs beside a child",
      reached: (_b, _d, _a, effects) => some(effects, "overlaps-child"),
    },
    { name: "a sibling is refused", reached: (_b, _d, _a, effects) => refusedFor(effects, "root-busy") },
  ];
}

/** Goals that a policy makes impossible, with the reason. */
export function unreachable({
  conflict = "queue",
  queue = "arrival",
}: Partial<LeasePolicy>): Readonly<Record<string, string>> {
  if (conflict === "queue") {
    const siblings = { "a sibling is refused": "under conflict `queue` siblings never refuse each other" };
    if (queue === "arrival") return siblings;
    const alone = "under `per-path` a waiter alone holds nobody back: what holds it back holds all of its path back";
    return { ...siblings, "a cancelled head lets the next one in": alone };
  }
  const nobodyWaits = "under conflict `refuse` nobody waits";
  return {
    "a queue of three": nobodyWaits,
    "a waiter passes a blocked one that it does not overlap": nobodyWaits,
    "a cancelled head lets the next one in": nobodyWaits,
    "an expired head lets the next one in": nobodyWaits,
    "a close with each stage present": nobodyWaits,
    "a stuck call is fenced off, and the one behind it runs in time": nobodyWaits,
  };
}

function passes(ground: Ground, before: LeaseWorld, after: LeaseWorld, effect: LeaseEffect): boolean {
  if (effect.type !== "granted") return false;
  const place = before.lease.queue.indexOf(effect.call);
  const footprint = footprintIn(before, effect.call);
  return before.lease.queue
    .slice(0, Math.max(0, place))
    .some((other) => after.lease.queue.includes(other) && !ground.meet(footprintIn(before, other), footprint));
}

function footprintIn({ lease }: LeaseWorld, call: string): Footprint {
  return lease.calls.get(call)?.footprint ?? { kind: "none" };
}

function headLeaves(
  before: LeaseWorld,
  deed: Deed,
  effects: readonly LeaseEffect[],
  how: LeaseEffect["type"],
): boolean {
  const [head] = before.lease.queue;
  return some(effects, "granted") && effects.some((effect) => effect.type === how && endedBy(effect, deed) === head);
}
