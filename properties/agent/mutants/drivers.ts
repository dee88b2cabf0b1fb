/** Rules of the life of a driver (claim, give back, boundary, converge), each changed once. */
import type { Message } from "../../../core/agent/state.ts";
import { transition } from "../../../core/agent/transition.ts";
import {
  answering,
  has,
  isConvergence,
  isRestore,
  lanesOf,
  latchOf,
  type Mutant,
  runningIn,
  seeing,
  started,
  without,
  withoutNotes,
  withPhase,
} from "./mutant.ts";

export const driverMutants: readonly Mutant[] = [
  {
    name: "swallows a stop on the boundary",
    rule: "boundary with a stop converges: it looks at the inbox as without",
    transition: answering((step, before, input, policy) =>
      runningIn(before, "closing") !== null && input.type === "written"
        ? transition(policy, withPhase(before, { stop: null }), input)
        : step,
    ),
  },
  {
    name: "drops the batch of a stop",
    rule: "a stopped proposal gives the batch back: it is dropped",
    transition: answering((step, before) => ({
      state:
        has(step.effects, "append") && step.effects.some(isRestore)
          ? { ...step.state, ...lanesOf(before) }
          : step.state,
      effects: withoutNotes(step.effects, "inbox/restored"),
    })),
  },
  {
    name: "gives back behind the others",
    rule: "a batch returns to the heads of its lanes: it returns to their tails",
    transition: answering((step, before) => {
      if (before.phase.kind !== "running" || !step.effects.some(isRestore)) return step;
      const { batch } = before.phase;
      const of = (lane: Message["lane"]) => batch.filter((message) => message.lane === lane);
      return {
        ...step,
        state: {
          ...step.state,
          nextTurn: [...before.nextTurn, ...of("next-turn")],
          nextStep: [...before.nextStep, ...of("next-step")],
        },
      };
    }),
  },
  {
    name: "opens a turn for context",
    rule: "a boundary with nothing but context converges: it opens a turn",
    transition: answering((step, before, input, policy) => {
      const phase = runningIn(before, "closing");
      if (phase === null || phase.stop !== null || before.disposed || input.type !== "written") return step;
      if (before.nextStep.length === 0 || !has(step.effects, "quiescent") || phase.outcome?.kind === "failed")
        return step;
      const { state, effects } = started(policy, before);
      return { state, effects: without(effects, "status") };
    }),
  },
  {
    name: "leaves prompts behind",
    rule: "a boundary with a prompt pending opens a turn: it converges",
    transition: answering((step, before, input, policy) => {
      const phase = runningIn(before, "closing");
      const opens = input.type === "written" && !has(step.effects, "status");
      if (phase === null || phase.outcome === null || !opens) return step;
      const blind = transition(policy, { ...before, nextTurn: [], nextStep: [] }, input);
      return { ...blind, state: { ...blind.state, ...lanesOf(before) } };
    }),
  },
  {
    name: "parks under drain",
    rule: "a failed turn under drain goes on: it parks",
    policy: { afterFailure: "drain" },
    transition: (policy, state, input) => transition({ ...policy, afterFailure: "park" }, state, input),
  },
  {
    name: "drains under park",
    rule: "a failed turn under park converges: it goes on",
    transition: (policy, state, input) => transition({ ...policy, afterFailure: "drain" }, state, input),
    survives: "no invariant says that what a failed turn parks stays parked: parked-stays-parked speaks of stops",
  },
  {
    name: "claims all",
    rule: "under claim one a turn takes one prompt: it takes all",
    transition: (policy, state, input) => transition({ ...policy, claim: "all" }, state, input),
  },
  {
    name: "claims one",
    rule: "under claim all a turn takes all prompts: it takes one",
    policy: { claim: "all" },
    transition: (policy, state, input) => transition({ ...policy, claim: "one" }, state, input),
    survives: "no invariant says that a turn under claim all takes every prompt: the next turn of the driver does",
  },
  {
    name: "claims the newest",
    rule: "a turn takes the first prompt: it takes the last",
    transition: answering((step, before, input, policy) => {
      const opens = runningIn(before, "opening") !== null && input.type === "written" && has(step.effects, "propose");
      return opens ? transition(policy, { ...before, nextTurn: [...before.nextTurn].reverse() }, input) : step;
    }),
  },
  {
    name: "claims no steers",
    rule: "a claim takes all of next-step: the first of a turn leaves it",
    transition: answering((step, before, input, policy) => {
      const opens = runningIn(before, "opening") !== null && input.type === "written" && has(step.effects, "propose");
      if (!opens) return step;
      const open = transition(policy, { ...before, nextStep: [] }, input);
      return { ...open, state: { ...open.state, nextStep: before.nextStep } };
    }),
  },
  {
    name: "writes a new turn first",
    rule: "a driver takes what is unwritten: it opens a turn",
    transition: seeing((state, input) => [input.type === "send" ? { ...state, unwritten: null } : state, input]),
  },
  {
    name: "replays without looking",
    rule: "converge replays if a latched message is pending: it replays if anything was latched",
    transition: answering((step, before, _input, policy) => {
      if (!has(step.effects, "quiescent") || latchOf(before).length === 0 || before.disposed) return step;
      const { state, effects } = started(policy, step.state);
      return { state, effects: [...without(step.effects, "quiescent"), ...effects] };
    }),
  },
  {
    name: "replays in one breath",
    rule: "a replay shows idle, then running: it shows nothing",
    transition: answering((step, before) => {
      const replays = isConvergence(before, step.effects) && step.state.phase.kind === "running";
      return replays ? { ...step, effects: without(step.effects, "status") } : step;
    }),
  },
  {
    name: "replays and is quiescent",
    rule: "a replay is not quiescent: it says that it is",
    transition: answering((step, before) => {
      const replays = isConvergence(before, step.effects) && step.state.phase.kind === "running";
      return replays ? { ...step, effects: [{ type: "quiescent" }, ...step.effects] } : step;
    }),
  },
  {
    name: "never says quiescent",
    rule: "converge ends with quiescent: it does not",
    transition: answering((step) => ({ ...step, effects: without(step.effects, "quiescent") })),
  },
  {
    name: "shows maintenance as running",
    rule: "maintenance shows as idle: its end is shown as idle again",
    transition: answering((step, _before, input) =>
      input.type === "maintained" ? { ...step, effects: [{ type: "status", status: "idle" }, ...step.effects] } : step,
    ),
  },
  {
    name: "counts no turn",
    rule: "written turn/start sets lastTurn: it does not",
    transition: answering((step, before, input) =>
      input.type === "written" ? { ...step, state: { ...step.state, lastTurn: before.lastTurn } } : step,
    ),
  },
];
