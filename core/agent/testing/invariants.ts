import type { AgentEffect, Message } from "../state.ts";
import { type Event, isTurnRecord, type Run } from "./model-host.ts";

/**
 * The promises of the agent that need no schedule, judged on what happened. They are spelled out anew: none of them
 * calls the reducer's own functions, whose mistakes they are here to find.
 */
export type Invariant = {
  readonly name: string;
  readonly why: string;
  violation(run: Run): string | undefined;
};

/** Judges event by event; the first complaint counts. */
function eachEvent(judge: (event: Event, run: Run) => string | undefined): Invariant["violation"] {
  return (run) => {
    for (const [at, event] of run.history.entries()) {
      const complaint = judge(event, run);
      if (complaint !== undefined) return `event ${at}, ${event.input.type} in ${stageOf(event)}: ${complaint}`;
    }
    return undefined;
  };
}

const turnsAlternate: Invariant = {
  name: "agent/turn-end-before-turn-start",
  why: "Who reads the log must be able to say which turn a line belongs to.",
  violation({ log, history }) {
    const refused = history.at(-1)?.after.unwritten?.type === "turn/end";
    let lastTurn = 0;
    let open = false;
    for (const record of log.filter(isTurnRecord)) {
      const fits =
        record.type === "turn/start" ? !open && record.turn === lastTurn + 1 : open && record.turn === lastTurn;
      if (!fits) return `${record.type} ${record.turn} after turn ${lastTurn}`;
      open = record.type === "turn/start";
      lastTurn = record.turn;
    }
    return open && !refused ? `turn ${lastTurn} has no end, and no fault explains it` : undefined;
  },
};

const singleWriter: Invariant = {
  name: "agent/single-writer",
  why: "Two activities at once write over each other.",
  violation: eachEvent(({ open }) => (open.length > 1 ? `${open.length} requests are open` : undefined)),
};

const idleIsTrue: Invariant = {
  name: "agent/idle-is-true",
  why: "Who waits for idle goes on to touch what the agent was using.",
  violation: eachEvent(({ after, effects, open }) => {
    const idle = after.phase.kind === "idle";
    if (idle !== (open.length === 0)) return `${open.length} requests are open in phase ${after.phase.kind}`;
    return has(effects, "quiescent") && !idle ? "quiescent while an activity is live" : undefined;
  }),
};

const statusAlternates: Invariant = {
  name: "agent/status-alternates",
  why: "Observers count edges.",
  violation({ history }) {
    let status = "idle";
    for (const { effects, after } of history) {
      for (const effect of effects) {
        if (effect.type !== "status") continue;
        if (effect.status === status) return `${status} twice`;
        status = effect.status;
      }
      if ((after.phase.kind === "running") !== (status === "running")) return `${status} in phase ${after.phase.kind}`;
    }
    return undefined;
  },
};

const cancelBites: Invariant = {
  name: "agent/cancel-bites",
  why: "After a stop the user pays for nothing more.",
  violation: eachEvent(({ before, effects }) =>
    before.phase.kind !== "idle" && before.phase.stop !== null && (has(effects, "propose") || has(effects, "run-step"))
      ? "a request after the stop"
      : undefined,
  ),
};

const idleCancelArmsNothing: Invariant = {
  name: "agent/idle-cancel-arms-nothing",
  why: "A stop button that was pressed too late must not eat the next prompt.",
  violation: eachEvent(({ before, input, after, effects }) => {
    if (input.type !== "cancel" || before.phase.kind !== "idle") return undefined;
    if (after.phase.kind !== "idle" || after.disposed !== before.disposed) return "the phase moved";
    return effects.every((effect) => effect.type === "append") ? undefined : "more than notes";
  }),
};

const disposeFence: Invariant = {
  name: "agent/dispose-fence",
  why: "What is disposed of may have lost its storage a moment later.",
  violation({ history }) {
    const fences = history.filter(({ before }) => before.disposed);
    const last = history.at(-1);
    for (const { effects } of fences) {
      if (has(effects, "run-maintenance") || startsTurn(effects)) return "an activity begins after dispose";
    }
    const reached = history.flatMap(({ effects }) => effects).filter(({ type }) => type === "disposed").length;
    return reached === (last?.after.disposed ? 1 : 0) ? undefined : `disposed was reached ${reached} times`;
  },
};

const idleWakeOpensTurn: Invariant = {
  name: "agent/idle-wake-opens-turn",
  why: "Who sends at idle waits for the edge idle, running, idle.",
  violation({ history }) {
    let owed: string | undefined;
    for (const { before, input, after, effects } of history) {
      if (input.type === "send" && input.message.wake && before.phase.kind === "idle" && !before.disposed) {
        if (has(effects, "append")) owed = input.message.id;
        if (owed !== undefined && after.phase.kind !== "running") return `the wake ${owed} starts no driver`;
      }
      const excused = input.type === "cancel" || input.type === "dispose" || has(effects, "fault");
      if (excused || after.lastTurn > before.lastTurn) owed = undefined;
      if (owed !== undefined && has(effects, "quiescent")) return `the wake ${owed} got no turn`;
    }
    return undefined;
  },
};

const maintenanceExclusive: Invariant = {
  name: "agent/maintenance-exclusive",
  why: "Compaction rewrites what a turn reads.",
  violation: eachEvent(({ before, input, effects }) =>
    before.phase.kind === "maintenance" &&
    input.type !== "maintained" &&
    (startsTurn(effects) || has(effects, "status"))
      ? "a turn inside maintenance"
      : undefined,
  ),
};

const toolsAreAnswered: Invariant = {
  name: "agent/tools-are-answered",
  why: "A model that called a tool and never hears of it refuses the next request.",
  violation: eachEvent(({ before, input, effects }) => {
    if (before.phase.kind !== "running" || before.phase.stop !== null || has(effects, "stale")) return undefined;
    const continued = input.type === "stepped" && input.outcome === "continue";
    const goesOn =
      input.type === "proposed" && input.decision.kind === "enter" && before.phase.step > 1 && !before.phase.natural;
    if (continued && !has(effects, "propose")) return "no proposal after tools ran";
    return goesOn && !has(effects, "run-step") ? "no step after tools ran" : undefined;
  }),
};

const lateSteerQueues: Invariant = {
  name: "agent/late-steer-queues",
  why: "Nobody is left to steer, and the steer must not be taken for a part of the prompt before it.",
  violation: eachEvent(({ before: { phase }, input, effects }) => {
    if (input.type !== "send" || !input.message.wake || phase.kind === "idle") return undefined;
    const late = phase.stop !== null || (phase.kind === "running" && phase.stage === "closing");
    const [first] = effects;
    if (!late || first?.type !== "append" || first.record.type !== "inbox/inserted") return undefined;
    return first.record.message.lane === "next-turn" ? undefined : "it is queued for a step";
  }),
};

const contextNeverWakes: Invariant = {
  name: "agent/context-never-wakes",
  why: "Context that was only injected never spends a model call by itself.",
  violation: eachEvent(({ before, input, effects }) => {
    if (before.phase.kind !== "running" || before.nextStep.some(({ wake }) => wake)) return undefined;
    const natural = input.type === "stepped" && (input.outcome === "completed" || input.outcome === "max-tokens");
    if (natural && has(effects, "propose")) return "context adds a step to a finished turn";
    const atBoundary = input.type === "written" && before.phase.stage === "closing" && before.phase.outcome !== null;
    return atBoundary && before.nextTurn.length === 0 && startsTurn(effects) ? "context opens a turn" : undefined;
  }),
};

const lateReportHarmless: Invariant = {
  name: "agent/late-report-harmless",
  why: "An old turn's clean-up must not touch its successor.",
  violation: eachEvent(({ before, after, effects }) =>
    (has(effects, "stale") || (has(effects, "refused") && effects.length === 1)) && before !== after
      ? "the state moved"
      : undefined,
  ),
};

const nothingLostOnFault: Invariant = {
  name: "agent/nothing-lost-on-fault",
  why: "A full disk must cost time and nothing else.",
  violation({ history }) {
    let owed: string | undefined;
    for (const { before, after, effects } of history) {
      for (const effect of effects) {
        if (effect.type === "fault") {
          owed = JSON.stringify(effect.record);
          if (held(before).join() !== held(after).join()) return "a message disappeared with the fault";
        } else if (effect.type === "append" && isTurnRecord(effect.record)) {
          if (owed !== undefined && JSON.stringify(effect.record) !== owed) return `${owed} was not written first`;
          owed = undefined;
        }
      }
    }
    return undefined;
  },
};

export const invariants: readonly Invariant[] = [
  turnsAlternate,
  singleWriter,
  idleIsTrue,
  statusAlternates,
  cancelBites,
  idleCancelArmsNothing,
  disposeFence,
  idleWakeOpensTurn,
  maintenanceExclusive,
  toolsAreAnswered,
  lateSteerQueues,
  contextNeverWakes,
  lateReportHarmless,
  nothingLostOnFault,
];

function has(effects: readonly AgentEffect[], type: AgentEffect["type"]): boolean {
  return effects.some((effect) => effect.type === type);
}

function startsTurn(effects: readonly AgentEffect[]): boolean {
  return effects.some((effect) => effect.type === "append" && effect.record.type === "turn/start");
}

function held({ phase, nextStep, nextTurn }: Event["before"]): readonly string[] {
  const batch: readonly Message[] = phase.kind === "running" ? phase.batch : [];
  return [...batch, ...nextStep, ...nextTurn].map(({ id }) => id);
}

function stageOf({ before: { phase } }: Event): string {
  return phase.kind === "running" ? phase.stage : phase.kind;
}
