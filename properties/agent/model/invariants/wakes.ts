/** What a wake, a latch and an answered tool lead to. */
import { type EveryStep, has, isIdle, opensTurn, replayIsDue, shows, starts, wakes } from "../seen.ts";
import { isAnswer } from "../world.ts";

export const idleWakeOpensTurn: EveryStep = {
  name: "agent/idle-wake-opens-turn",
  violation(before, input, after, effects) {
    if (input.type === "send" && wakes(effects) && isIdle(before) && before.past.disposal === "none") {
      if (!shows(effects, "running")) return `${input.message.id} wakes an idle agent, and no driver starts`;
    }
    // A stop, a dispose and a refused record end the debt.
    if (before.past.debt && isIdle(after) && !has(effects, "fault") && input.type !== "crash") {
      return "a driver is over without a turn";
    }
    for (const effect of effects) {
      if (effect.type === "run-step" && effect.step === 1 && effect.messages.length === 0) {
        return "an empty turn spends a model call";
      }
    }
    return null;
  },
};

export const noEmptyReplay: EveryStep = {
  name: "agent/no-empty-replay",
  violation(before, _input, _after, effects) {
    return !isIdle(before) && shows(effects, "running") && !replayIsDue(before)
      ? "a driver starts on convergence, and no latched wake is pending"
      : null;
  },
};

export const maintenanceExclusive: EveryStep = {
  name: "agent/maintenance-exclusive",
  violation(before, input, _after, effects) {
    if (before.past.request.kind !== "maintenance" || input.type === "crash") return null;
    if (!isAnswer(input)) {
      return starts(effects) || has(effects, "status") ? "a driver begins inside maintenance" : null;
    }
    const due = replayIsDue(before) && before.past.disposal === "none";
    return due && !opensTurn(effects) && !shows(effects, "running") ? "a wake during maintenance does not run" : null;
  },
};

export const toolsAreAnswered: EveryStep = {
  name: "agent/tools-are-answered",
  violation({ past }, input, _after, effects) {
    if (past.stopped) return null;
    if (input.type === "stepped" && input.outcome === "continue") {
      return has(effects, "propose") ? null : "no proposal after tools ran";
    }
    if (input.type === "proposed" && input.decision.kind === "enter" && past.tools) {
      return has(effects, "run-step") ? null : "no step after tools ran";
    }
    return null;
  },
};
