/** What must be true of drivers and their turns: what starts one, what it owes, and what it may not leave open. */
import type { Invariant } from "../../invariant.ts";
import { type Fate, isPending } from "../fate.ts";
import { describeObservation, type History, type Observation } from "../history.ts";
import { isStatus, judgeEach, lastBefore } from "../look-back.ts";
import { isActive, viewBefore } from "../view.ts";

export const noEmptyReplay: Invariant<History> = {
  name: "agent/no-empty-replay",
  why: "A driver that starts for a message that is gone spends a turn on nothing, and whoever counts turns counts one too many.",
  violation: judgeEach((seen, history) => {
    if (!isStatus(seen, "running")) return undefined;
    const idle = lastBefore(history, seen.at, (one) => isStatus(one, "idle"));
    const { fates } = viewBefore(history, seen.at);
    if (fates.some((fate) => fate.message.wake && mayStart(fate, idle?.at ?? 0, history))) return undefined;
    return `${describeObservation(seen)}, and no wake is latched, due, or was accepted at rest`;
  }),
};

/** Where it cannot be told from outside how the agent took a wake, it may have started a driver. */
function mayStart(fate: Fate, from: number, history: History): boolean {
  const { sent, answered, state, latched } = fate;
  if (answered === null || latched === "maybe") return true;
  if (isPending(fate) && (state === "due" || latched === "surely")) return true;
  return answered >= from && (isAtRest(sent, history) || isAtRest(answered, history));
}

function isAtRest(at: number, history: History): boolean {
  const view = viewBefore(history, at);
  return !isActive(view) || view.unwinding !== null;
}

export const idleWakeOpensTurn: Invariant<History> = {
  name: "agent/idle-wake-opens-turn",
  why: "Whoever sends to an idle agent waits for a turn; a goal driver would wait for ever.",
  violation: judgeEach((seen, history) => {
    // A turn with nothing to do says so in the log, and spends no model call.
    if (seen.type === "run-step" && seen.step === 1 && seen.messages.length === 0) {
      return `${describeObservation(seen)} begins a turn with nothing`;
    }
    if (!isStatus(seen, "idle")) return undefined;
    const { status, since, stop, disposed } = viewBefore(history, seen.at);
    if (status !== "running" || since === null || stop !== null || disposed !== null) return undefined;
    const records = answersToTurnRecords(history, since, seen.at);
    if (records.some(({ ok, type }) => !ok || type === "turn/start")) return undefined;
    return `${describeObservation(seen)}, and the driver since #${since} has opened no turn`;
  }),
};

export const everyIdleWakeStarts: Invariant<History> = {
  name: "agent/idle-wake-opens-turn",
  why: idleWakeOpensTurn.why,
  violation(history) {
    const { observations } = history;
    const owed = viewBefore(history).fates.find(({ message, sent, answered, state }) => {
      if (!message.wake || answered === null || state === "refused") return false;
      const { disposed, unwinding } = viewBefore(history, sent);
      if (disposed !== null || unwinding !== null || !isAtRest(sent, history)) return false;
      return !observations.slice(sent + 1).some((one) => isStatus(one, "running") || endsDebt(one));
    });
    return owed && `message ${owed.message.id} was sent to an idle agent, and no driver has started since`;
  },
};

function endsDebt(seen: Observation): boolean {
  return seen.type === "command" && (seen.command.type === "cancel" || seen.command.type === "dispose");
}

type Answer = { readonly type: "turn/start" | "turn/end"; readonly ok: boolean };

function answersToTurnRecords({ observations }: History, from: number, until: number): readonly Answer[] {
  return observations.slice(from, until).flatMap((seen): readonly Answer[] => {
    const asked = seen.type === "settled" ? observations[seen.call] : undefined;
    if (seen.type !== "settled" || asked?.type !== "append") return [];
    const { type } = asked.record;
    // A refused note takes the turn record behind it along.
    return type === "turn/start" || type === "turn/end"
      ? [{ type, ok: seen.ok }]
      : seen.ok
        ? []
        : [{ type: "turn/start", ok: false }];
  });
}

export const maintenanceExclusive: Invariant<History> = {
  name: "agent/maintenance-exclusive",
  why: "Compaction rewrites the very conversation that a turn would go on with.",
  violation: judgeEach((seen, history) => {
    if (!isStatus(seen, "running")) return undefined;
    const task = viewBefore(history, seen.at).live.find(({ what }) => what === "task");
    const call = task === undefined ? undefined : history.observations[task.call];
    return call && `${describeObservation(seen)} while ${describeObservation(call)}`;
  }),
};

export const toolsAreAnswered: Invariant<History> = {
  name: "agent/tools-are-answered",
  why: "A model that called a tool and never hears of it refuses the next request.",
  violation: judgeEach((seen, history) => {
    if (seen.type !== "append" || seen.record.type !== "turn/end") return undefined;
    const { turn, reason } = seen.record;
    // A stop, a failure and a rejection have their own words.
    const ended = reason.kind === "completed" || reason.kind === "max-tokens";
    if (!ended || viewBefore(history, seen.at).stop !== null) return undefined;
    const last = lastBefore(history, seen.at, (one) => one.type === "settled" && isStepOf(turn, one.call, history));
    if (last?.type !== "settled" || last.outcome !== "continue") return undefined;
    return `${describeObservation(seen)}, but ${describeObservation(last)} with tools to be answered`;
  }),
};

function isStepOf(turn: number, call: number, { observations }: History): boolean {
  const asked = observations[call];
  return asked?.type === "run-step" && asked.turn === turn;
}
