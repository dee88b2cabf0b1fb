import { callback, check } from "../shape.ts";
import { type GoalInput, type GoalState, initialGoal, stepGoal } from "./goal.ts";
import { wantsTurn } from "./inbox.ts";
import type { Agent } from "./ports.ts";

export type GoalOptions = {
  /** Makes the ids of this goal's messages; different for each goal of an agent, and for each run of the process. */
  readonly name: string;
  /** Writes the prompt of a round, counted from 1. */
  body(round: number): unknown;
  /** Rounds after which the goal disarms itself. */
  readonly roundLimit: number;
};

export type GoalDriver = {
  arm(): void;
  disarm(): void;
  /** Disarms and listens no more. */
  close(): void;
  readonly state: GoalState;
};

type GoalAgent = Pick<Agent, "followUp" | "retract" | "status" | "pending" | "onStatus" | "onRecord" | "onStop">;

/** Drives the rounds of a goal on an agent. It starts disarmed. */
export function createGoalDriver(agent: GoalAgent, options: GoalOptions): GoalDriver {
  check("agent", agent, {});
  check("options", options, {
    name: "",
    body: callback,
    // Infinity is a limit too: until something else ends the goal.
    roundLimit: (value) => (typeof value === "number" && value > 0) || "number above 0",
  });
  let state = initialGoal(options);

  function take(input: GoalInput): void {
    const step = stepGoal(state, input);
    state = step.state;
    for (const effect of step.effects) {
      if (effect.type === "retract") {
        agent.retract(effect.id);
      } else {
        let accepted = false;
        try {
          accepted = agent.followUp(effect.id, options.body(effect.round)).outcome === "accepted";
        } finally {
          // Also when the body throws: a goal without a message would wait for ever.
          if (!accepted) take({ type: "refused" });
        }
      }
    }
  }

  // What still waits for a turn, in the terms of the agent: a prompt, or whatever wakes.
  const queued = () => agent.pending.filter(wantsTurn).map(({ id }) => id);

  const unsubscribe = [
    agent.onRecord(take),
    agent.onStop(() => take({ type: "stopped" })),
    agent.onStatus((status) => {
      if (status === "idle") take({ type: "idle", queued: queued() });
    }),
  ];

  return {
    arm: () => take({ type: "arm", idle: agent.status === "idle", queued: queued() }),
    disarm: () => take({ type: "disarm" }),
    close() {
      take({ type: "disarm" });
      for (const stop of unsubscribe) stop();
    },
    get state() {
      return state;
    },
  };
}
