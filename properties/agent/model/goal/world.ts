/** The driver of a goal's rounds beside its agent: both reducers, and the records on their way to storage. */

import { type GoalState, initialGoal } from "../../../../core/agent/goal.ts";
import type { AgentRecord, AgentState, TurnRecord } from "../../../../core/agent/state.ts";
import { initialState } from "../../../../core/agent/transition.ts";

/** A type and not an interface: a model takes its bounds as a plain record. */
export type GoalBounds = {
  readonly sends: number;
  readonly cancels: number;
  readonly retracts: number;
  readonly disposes: number;
  readonly writeFaults: number;
  readonly arms: number;
  readonly disarms: number;
  /** Steps of a turn up to which tools may run. */
  readonly steps: number;
  readonly roundLimit: number;
  /**
   * Whether a prompt that an armed goal waits for at idle may be taken back. It leaves no idle edge, so the goal goes on
   * waiting until somebody wakes the agent: known, and shown by a test.
   */
  readonly withdrawals: number;
};

export const defaultGoalBounds: GoalBounds = {
  sends: 1,
  cancels: 1,
  retracts: 1,
  disposes: 1,
  writeFaults: 1,
  arms: 2,
  disarms: 1,
  steps: 1,
  roundLimit: 2,
  withdrawals: 0,
};

type Removal = Extract<AgentRecord, { readonly type: "inbox/removed" }>;
/** What the goal listens to: the ends of turns, and what becomes of its own messages. Other notes take their time unseen. */
export type Waiting = TurnRecord | Removal;

export type GoalWorld = {
  readonly agent: AgentState;
  readonly goal: GoalState;
  /** Oldest first. Each lands by itself, whenever storage says so. */
  readonly storage: readonly Waiting[];
  /** The turn that has claimed a message of the goal last; 0 before the first. Told by the agent's notes. */
  readonly ownTurn: number;
  readonly sent: number;
  /** The limit of rounds counts on it. What else runs out is no part of this: `prices.ts`. */
  readonly armsLeft: number;
};

export const goalName = "goal";

/** A restart of the process is not looked at: a goal does not outlive it. */
export function initialGoalWorld({ roundLimit, arms }: GoalBounds): GoalWorld {
  return {
    agent: initialState,
    goal: initialGoal({ name: goalName, roundLimit }),
    storage: [],
    ownTurn: 0,
    sent: 0,
    armsLeft: arms,
  };
}

export function isOwn(id: string): boolean {
  return id.startsWith(goalName);
}

export function isTurnRecord(record: AgentRecord): record is TurnRecord {
  return record.type === "turn/start" || record.type === "turn/end";
}

/** Ids of what waits for a turn, in the terms of the agent: a prompt, or whatever wakes. */
export function queuedIn({ nextStep, nextTurn }: AgentState): readonly string[] {
  return [...nextStep.filter(({ wake }) => wake), ...nextTurn].map(({ id }) => id);
}
