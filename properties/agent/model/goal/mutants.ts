/** One-rule mutants of the goal's reducer, and of the agent below it: what a goal relies on. */
import { type GoalState, stepGoal } from "../../../../core/agent/goal.ts";
import { transition as shipped } from "../../../../core/agent/transition.ts";
import type { Transition } from "../recalling.ts";
import type { StepGoal } from "./run.ts";

export type GoalMutant = {
  readonly name: string;
  readonly rule: string;
  readonly stepGoal?: StepGoal;
  readonly transition?: Transition;
};

const unchanged = (state: GoalState) => ({ state, effects: [] });

export const goalMutants: readonly GoalMutant[] = [
  {
    name: "counts every turn",
    rule: "a round is known by the turn that claimed it: any completed turn is one",
    stepGoal: (state, input) =>
      stepGoal(input.type === "turn/end" && state.mode === "armed" ? { ...state, turn: input.turn } : state, input),
  },
  {
    name: "goes on after a stop",
    rule: "a stop pauses the goal: it does not",
    stepGoal: (state, input) => (input.type === "stopped" ? unchanged(state) : stepGoal(state, input)),
  },
  {
    name: "pauses and holds on",
    rule: "a goal that pauses lets go of its reservation: it keeps it",
    stepGoal: (state, input) =>
      input.type === "stopped" ? unchanged({ ...state, mode: "paused" }) : stepGoal(state, input),
  },
  {
    name: "goes on without its reservation",
    rule: "a reservation that is gone pauses the goal: only its slot is cleared",
    stepGoal: (state, input) =>
      input.type === "inbox/removed" && input.outcome !== "claimed" && input.id === state.reservation
        ? unchanged({ ...state, reservation: null, turn: null })
        : stepGoal(state, input),
  },
  {
    name: "goes on after a failure",
    rule: "a failed or max-tokens round disarms the goal: it pauses it",
    stepGoal(state, input) {
      const step = stepGoal(state, input);
      const failed = input.type === "turn/end" && input.reason.kind !== "completed";
      return failed && step.state.mode === "disarmed" ? { ...step, state: { ...step.state, mode: "paused" } } : step;
    },
  },
  {
    name: "knows no limit",
    rule: "the goal disarms itself after its last round: it does not",
    stepGoal(state, input) {
      const step = stepGoal(state, input);
      return step.state.rounds > state.rounds ? { ...step, state: { ...step.state, mode: "armed" } } : step;
    },
  },
  {
    name: "reserves behind others",
    rule: "a round waits while another turn is queued: the goal reserves anyway, when it is armed",
    stepGoal: (state, input) => stepGoal(state, input.type === "arm" ? { ...input, queued: [], idle: true } : input),
  },
  {
    name: "sleeps through idle",
    rule: "armed, it reserves on the idle transition: only arming reserves",
    stepGoal: (state, input) => (input.type === "idle" ? unchanged(state) : stepGoal(state, input)),
  },
  {
    name: "leaves its message to others",
    rule: "what was given up in the middle of a turn is retracted at idle: it stays",
    stepGoal(state, input) {
      const step = stepGoal(state, input);
      return input.type === "idle" ? { ...step, effects: step.effects.filter(({ type }) => type !== "retract") } : step;
    },
  },
  {
    name: "trusts a refused reservation",
    rule: "a reservation that was not accepted pauses the goal: it is kept",
    stepGoal: (state, input) => (input.type === "refused" ? unchanged(state) : stepGoal(state, input)),
  },
  {
    name: "guards idle wakes",
    rule: "the agent opens a turn for every wake at idle: one that is taken back before its turn leaves no edge",
    transition(policy, state, input) {
      const step = shipped(policy, state, input);
      const { phase, nextStep, nextTurn } = step.state;
      const opens = input.type === "retract" && phase.kind === "running" && phase.stage === "opening";
      return opens && nextStep.length + nextTurn.length === 0
        ? { ...step, state: { ...step.state, phase: { kind: "idle" } } }
        : step;
    },
  },
];
