/** What observers are told, and whether it is true; and what a late report may do, which is nothing. */
import { type Always, type EveryStep, has, isIdle, replayIsDue } from "../seen.ts";

export const idleIsTrue: EveryStep = {
  name: "agent/idle-is-true",
  violation(before, input, after, effects) {
    if (input.type === "crash") return null;
    if (has(effects, "quiescent") && !isIdle(after)) return "quiescent while a request is open";
    return !isIdle(before) && isIdle(after) && !has(effects, "quiescent")
      ? "idle, and whoever waits is not told"
      : null;
  },
};

/** Asked at quiescence. */
export const noReplayIsDue: Always = {
  name: "agent/idle-is-true",
  violation: (world) => (replayIsDue(world) ? "quiescent while a replay is due" : null),
};

/** An activity that asks for nothing never ends; one that is over and still has a request open was not one. */
export const activityAsks: Always = {
  name: "agent/idle-is-true",
  violation(world) {
    const { kind } = world.agent.phase;
    return (kind === "idle") === isIdle(world) ? null : `phase ${kind} with the request ${world.past.request.kind}`;
  },
};

export const statusAlternates: EveryStep = {
  name: "agent/status-alternates",
  violation({ past }, _input, after, effects) {
    let { status } = past;
    for (const effect of effects) {
      if (effect.type !== "status") continue;
      if (effect.status === status) return `${status} twice`;
      status = effect.status;
    }
    const driver = after.agent.phase.kind === "running";
    return driver === (after.past.status === "running")
      ? null
      : `${after.past.status} in phase ${after.agent.phase.kind}`;
  },
};

export const lateReportHarmless: EveryStep = {
  name: "agent/late-report-harmless",
  violation(before, input, after, effects) {
    if (input.type !== "late") return null;
    const stale = effects.length === 1 && effects[0]?.type === "stale";
    return stale && after === before ? null : `a late ${input.report.type} is not turned away`;
  },
};
