/** A reducer with one rule changed, made by wrapping the one that ships: what it is given or what it answers is altered. */
import type {
  AgentEffect,
  AgentInput,
  AgentPolicy,
  AgentRecord,
  AgentState,
  AgentStep,
  Message,
  Running,
  Stage,
} from "../../../core/agent/state.ts";
import { transition } from "../../../core/agent/transition.ts";
import type { Transition } from "../model/recalling.ts";

export type Mutant = {
  readonly name: string;
  /** The contract's rule, and what has become of it. */
  readonly rule: string;
  readonly transition: Transition;
  /** The policy under which the rule counts; the contract's default where it is not given. */
  readonly policy?: Partial<AgentPolicy>;
  /** Why no invariant sees it. A mutant without a reason has to be refuted. */
  readonly survives?: string;
};

type Look = (state: AgentState, input: AgentInput) => readonly [AgentState, AgentInput];

/** Alters what the reducer answered to what it took. */
export function answering(
  alter: (step: AgentStep, before: AgentState, input: AgentInput, policy: AgentPolicy) => AgentStep,
): Transition {
  return (policy, state, input) => {
    const step = transition(policy, state, input);
    return isTurnedAway(step, state) ? step : alter(step, state, input, policy);
  };
}

/** Has the reducer look at another state or input, where it takes the true one. */
export function seeing(look: Look): Transition {
  return answering((_step, state, input, policy) => transition(policy, ...look(state, input)));
}

/** Has the reducer look at another state or input, so that it may take what it would turn away. */
export function admitting(look: Look): Transition {
  return (policy, state, input) => transition(policy, ...look(state, input));
}

type Changes = Partial<Pick<Running, "stage" | "batch" | "outcome" | "natural" | "stop" | "latched">>;

/** The state with its activity changed; at idle there is none. */
export function withPhase(state: AgentState, changes: Changes): AgentState {
  const { phase } = state;
  switch (phase.kind) {
    case "idle":
      return state;
    case "maintenance": {
      const { stop = phase.stop, latched = phase.latched } = changes;
      return { ...state, phase: { ...phase, stop, latched } };
    }
    case "running":
      return { ...state, phase: { ...phase, ...changes } };
  }
}

const nudge: Message = { id: "!", lane: "next-turn", wake: true };

/** Starts a driver at idle, as a wake would that leaves no trace. */
export function started(policy: AgentPolicy, state: AgentState): AgentStep {
  const idle: AgentState = { ...state, phase: { kind: "idle" }, disposed: false };
  const step = transition(policy, idle, { type: "send", message: nudge });
  return {
    state: { ...step.state, disposed: state.disposed, nextTurn: state.nextTurn },
    effects: withoutNotes(step.effects, "inbox/inserted"),
  };
}

export function latchOf({ phase }: AgentState): readonly string[] {
  return phase.kind === "idle" ? [] : phase.latched;
}

export function without(effects: readonly AgentEffect[], type: AgentEffect["type"]): readonly AgentEffect[] {
  return effects.filter((effect) => effect.type !== type);
}

export function withoutNotes(effects: readonly AgentEffect[], type: AgentRecord["type"]): readonly AgentEffect[] {
  return effects.filter((effect) => effect.type !== "append" || effect.record.type !== type);
}

export function has(effects: readonly AgentEffect[], type: AgentEffect["type"]): boolean {
  return effects.some((effect) => effect.type === type);
}

/** What is turned away changes nothing, whatever the rule. */
export function isTurnedAway({ state, effects }: AgentStep, before: AgentState): boolean {
  return state === before && (has(effects, "stale") || has(effects, "refused"));
}

export function isStopped({ phase }: AgentState): boolean {
  return phase.kind !== "idle" && phase.stop !== null;
}

/** The driver, if it is in the stage. */
export function runningIn({ phase }: AgentState, stage: Stage): Running | null {
  return phase.kind === "running" && phase.stage === stage ? phase : null;
}

export function isConvergence(before: AgentState, effects: readonly AgentEffect[]): boolean {
  return before.phase.kind !== "idle" && (has(effects, "quiescent") || has(effects, "status"));
}

export function isRestore(effect: AgentEffect): boolean {
  return effect.type === "append" && effect.record.type === "inbox/restored";
}

export function lanesOf({ nextTurn, nextStep }: AgentState): Pick<AgentState, "nextTurn" | "nextStep"> {
  return { nextTurn, nextStep };
}
