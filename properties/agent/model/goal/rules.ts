/** What section 7 of the contract says of goal rounds, and what a user of one relies on. */
import type { StateInvariant, StepInvariant } from "../../../../sim/model/model.ts";
import type { GoalWorldEffect, GoalWorldInput } from "./run.ts";
import { type GoalWorld, isOwn, queuedIn } from "./world.ts";

type Always = StateInvariant<GoalWorld>;
type EveryStep = StepInvariant<GoalWorld, GoalWorldInput, GoalWorldEffect>;

/** The end of a turn that lands in this step. */
function landing({ storage: [head] }: GoalWorld, input: GoalWorldInput) {
  return input.type === "lands" && head?.type === "turn/end" ? head : null;
}

const countsItsOwn: EveryStep = {
  name: "goal/counts-its-own-rounds",
  violation(before, input, after) {
    const counted = after.goal.rounds - before.goal.rounds;
    if (counted === 0) return null;
    const end = landing(before, input);
    if (end === null || end.reason.kind !== "completed") return "a round is counted, and no completed turn has ended";
    return counted === 1 && end.turn === before.ownTurn ? null : `turn ${end.turn} is counted, and it was no round`;
  },
};

const pausesOnStop: EveryStep = {
  name: "goal/pauses-on-stop",
  violation(_before, input, after, effects) {
    const stopped = effects.some(({ type }) => type === "abort");
    return stopped && input.type !== "arm" && after.goal.mode === "armed" ? "armed after a stop of the agent" : null;
  },
};

const pausesOnRemoval: EveryStep = {
  name: "goal/pauses-when-its-reservation-is-gone",
  violation(before, input, after) {
    const [head] = before.storage;
    if (input.type !== "lands" || head?.type !== "inbox/removed" || head.outcome === "claimed") return null;
    const own = before.goal.reservation === head.id;
    return own && after.goal.mode === "armed" ? `armed after ${head.id} was ${head.outcome}` : null;
  },
};

const disarms: EveryStep = {
  name: "goal/disarms-after-a-failed-round",
  violation(before, input, after) {
    const end = landing(before, input);
    if (end === null || end.turn !== before.goal.turn) return null;
    const { kind } = end.reason;
    return (kind === "failed" || kind === "max-tokens") && after.goal.mode !== "disarmed"
      ? `${after.goal.mode} after a round that ended as ${kind}`
      : null;
  },
};

/** Whoever arms a goal that has had its rounds buys one more. */
const limited = (arms: number): Always => ({
  name: "goal/round-limit",
  violation({ goal, armsLeft }) {
    const most = goal.roundLimit + Math.max(0, arms - armsLeft - 1);
    return goal.rounds <= most ? null : `${goal.rounds} rounds, and the limit is ${goal.roundLimit}`;
  },
});

const reservesOnce: Always = {
  name: "goal/one-reservation",
  violation({ agent, goal }) {
    const own = [...agent.nextTurn, ...agent.nextStep].filter(({ id }) => isOwn(id));
    if (own.length > 1) return `${own.length} reservations are pending`;
    return goal.reservation !== null && goal.mode !== "armed" ? `${goal.reservation} is held while ${goal.mode}` : null;
  },
};

const restRunsNothing: EveryStep = {
  name: "goal/at-rest-runs-nothing",
  violation(before, _input, after, effects) {
    if (before.goal.mode === "armed" || after.goal.mode === "armed") return null;
    for (const effect of effects) {
      if (effect.type !== "append" || effect.record.type !== "inbox/removed") continue;
      const { id, outcome } = effect.record;
      if (outcome === "claimed" && isOwn(id)) return `${id} is claimed while the goal is ${after.goal.mode}`;
    }
    return null;
  },
};

const waitsForOthers: EveryStep = {
  name: "goal/waits-for-other-turns",
  violation(_before, _input, after, effects) {
    if (!effects.some(({ type }) => type === "reserve")) return null;
    const other = queuedIn(after.agent).find((id) => !isOwn(id));
    return other === undefined ? null : `a round is reserved while ${other} is queued`;
  },
};

/** Asked at quiescence. */
const neverHangs: Always = {
  name: "goal/never-hangs",
  violation({ agent, goal }) {
    if (goal.mode !== "armed") return null;
    if (goal.reservation !== null) return `idle, and ${goal.reservation} is neither running nor given up`;
    return queuedIn(agent).length === 0 ? "armed and idle, with nothing queued and no round reserved" : null;
  },
};

export const goalAlways = ({ arms }: { readonly arms: number }): readonly Always[] => [limited(arms), reservesOnce];
export const goalEveryStep: readonly EveryStep[] = [
  countsItsOwn,
  pausesOnStop,
  pausesOnRemoval,
  disarms,
  restRunsNothing,
  waitsForOthers,
];
export const goalAtQuiescence: readonly Always[] = [neverHangs];
