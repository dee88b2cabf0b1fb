/** The shape of a whole state. Turn numbers are few, because `turns.ts` counts them from the last turn but one. */

import type { AgentState, TurnEndReason, TurnRecord } from "../../../core/agent/state.ts";
import { flag, integer, list, oneOf, option, record, type Schema, variants } from "../../../sim/model/schema.ts";
import type { Bounds } from "./bounds.ts";
import { type Fate, idOf, type Past, type World } from "./world.ts";

export function worldSchema(bounds: Bounds): Schema<World> {
  const { agent, turn, step, turnRecord, activity } = shapesWithin(bounds);
  const past: Schema<Past> = record({
    request: variants("kind", {
      none: {},
      write: { record: turnRecord },
      propose: { turn, step },
      step: { turn, step },
      maintenance: { activity },
    }),
    status: oneOf("idle", "running"),
    stopped: flag,
    hold: oneOf("none", "parked", "cleared"),
    debt: flag,
    tools: flag,
    disposal: oneOf("none", "asked", "reached"),
    logTurn: turn,
    logOpen: flag,
    behind: flag,
  });
  const fate: Schema<Fate> = record({
    place: oneOf("pending", "batch", "over", "cleared"),
    lane: oneOf("next-turn", "next-step"),
    wake: flag,
    owed: oneOf("no", "live", "latched"),
  });
  return record({ agent, past, fates: list(fate, bounds.sends), crashesLeft: integer(0, bounds.crashes) });
}

export function agentSchema(bounds: Bounds): Schema<AgentState> {
  return shapesWithin(bounds).agent;
}

function shapesWithin({ sends, steps }: Bounds): AgentShapes {
  return agentShapes({
    ids: Array.from({ length: Math.max(1, sends) }, (_, index) => idOf(index)),
    inbox: sends,
    step: steps + sends + 1,
    turn: 3,
    activities: ["task 1"],
  });
}

type Sizes = {
  readonly ids: readonly string[];
  /** Most messages in a lane, a batch or a latch. */
  readonly inbox: number;
  /** The highest step of a turn, and the highest turn. */
  readonly step: number;
  readonly turn: number;
  readonly activities: readonly string[];
};
export type AgentShapes = {
  readonly agent: Schema<AgentState>;
  readonly turn: Schema<number>;
  readonly step: Schema<number>;
  readonly reason: Schema<TurnEndReason>;
  readonly turnRecord: Schema<TurnRecord>;
  readonly activity: Schema<string>;
};

const cause = oneOf("user", "disposed");

export function agentShapes(sizes: Sizes): AgentShapes {
  const id = oneOf(...sizes.ids);
  const turn = integer(0, sizes.turn);
  const step = integer(0, sizes.step);
  const activity = oneOf(...sizes.activities);
  const messages = list(record({ id, lane: oneOf("next-turn", "next-step"), wake: flag }), sizes.inbox);
  const reason: Schema<TurnEndReason> = variants("kind", {
    completed: {},
    "max-tokens": {},
    blocked: {},
    failed: {},
    aborted: { cause },
    interrupted: {},
  });
  const turnRecord: Schema<TurnRecord> = variants("type", { "turn/start": { turn }, "turn/end": { turn, reason } });
  const stop = option(record({ cause }));
  const latched = list(id, sizes.inbox);
  const agent: Schema<AgentState> = record({
    phase: variants("kind", {
      idle: {},
      maintenance: { activity, stop, latched },
      running: {
        stage: oneOf("opening", "proposing", "stepping", "closing"),
        turn,
        step,
        batch: messages,
        outcome: option(reason),
        natural: flag,
        stop,
        latched,
      },
    }),
    nextTurn: messages,
    nextStep: messages,
    lastTurn: turn,
    unwritten: option(turnRecord),
    disposed: flag,
  });
  return { agent, turn, step, reason, turnRecord, activity };
}
