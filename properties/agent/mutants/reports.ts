/** Rules of the reports, each changed once. */
import type { AgentInput, Stage, TurnEndReason } from "../../../core/agent/state.ts";
import { transition } from "../../../core/agent/transition.ts";
import type { Transition } from "../model/recalling.ts";
import {
  admitting,
  answering,
  has,
  type Mutant,
  runningIn,
  seeing,
  without,
  withoutNotes,
  withPhase,
} from "./mutant.ts";

/** Takes a report as if no stop had come; the stop itself stays. */
function blindToStop(stage: Stage): Transition {
  return answering((step, before, input, policy) => {
    const phase = runningIn(before, stage);
    if (phase === null || phase.stop === null || !isReport(input)) return step;
    const blind = transition(policy, withPhase(before, { stop: null }), input);
    return { ...blind, state: withPhase(blind.state, { stop: phase.stop }) };
  });
}

function isReport({ type }: AgentInput): boolean {
  return type === "written" || type === "proposed" || type === "stepped";
}

export const reportMutants: readonly Mutant[] = [
  {
    name: "claims after a stop",
    rule: "written turn/start with a stop closes: it claims",
    transition: blindToStop("opening"),
  },
  {
    name: "runs a step after a stop",
    rule: "proposed with a stop gives the batch back: it is taken as without",
    transition: blindToStop("proposing"),
  },
  {
    name: "goes on after a stop",
    rule: "stepped with a stop closes: it is taken as without",
    transition: blindToStop("stepping"),
  },
  {
    name: "aborts what was not stopped",
    rule: "stepped failed closes as failed: it closes as aborted",
    transition: answering((step, before, input) => {
      const fails = input.type === "stepped" && input.outcome === "failed";
      if (!fails || before.phase.kind !== "running" || before.phase.stop !== null) return step;
      const { turn } = before.phase;
      const reason: TurnEndReason = { kind: "aborted", cause: "user" };
      return {
        state: withPhase(step.state, { outcome: reason }),
        effects: [{ type: "append", record: { type: "turn/end", turn, reason } }],
      };
    }),
  },
  {
    name: "blocks in silence",
    rule: "what does not enter is noted as blocked: it is not",
    transition: answering((step, _before, input) =>
      input.type === "proposed"
        ? {
            ...step,
            effects: step.effects.filter(
              (effect) =>
                effect.type !== "append" ||
                effect.record.type !== "inbox/removed" ||
                effect.record.outcome !== "blocked",
            ),
          }
        : step,
    ),
  },
  {
    name: "enters what is pending",
    rule: "a pending id in a proposal is refused: it enters",
    transition: answering((step, before, input) => {
      if (input.type !== "proposed" || input.decision.kind !== "enter" || !has(step.effects, "refused")) return step;
      const { messages } = input.decision;
      const pending = messages.find(({ id }) => [...before.nextStep, ...before.nextTurn].some((one) => one.id === id));
      return pending === undefined
        ? step
        : {
            ...step,
            effects: without(step.effects, "refused").map((effect) =>
              effect.type === "run-step" ? { ...effect, messages: [...effect.messages, pending] } : effect,
            ),
          };
    }),
  },
  {
    name: "runs an empty turn",
    rule: "nothing entered at step 1 closes: a step is run",
    transition: answering((step, before, input) => {
      const phase = runningIn(before, "proposing");
      if (phase === null || input.type !== "proposed" || input.decision.kind !== "enter") return step;
      if (phase.stop !== null || phase.step !== 1 || has(step.effects, "run-step")) return step;
      const { turn, step: number } = phase;
      return {
        state: withPhase(before, { stage: "stepping", batch: [] }),
        effects: [...withoutNotes(step.effects, "turn/end"), { type: "run-step", turn, step: number, messages: [] }],
      };
    }),
  },
  {
    name: "forgets the tools",
    rule: "stepped continue proposes the next step: with an empty next-step lane it closes",
    transition: seeing((state, input) => {
      const forgets = input.type === "stepped" && input.outcome === "continue" && state.nextStep.length === 0;
      return [state, forgets ? { ...input, outcome: "completed" } : input];
    }),
  },
  {
    name: "leaves tools unanswered",
    rule: "a proposal after tools runs its step even if nothing enters: it closes",
    transition: seeing((state, input) => [
      input.type === "proposed" ? withPhase(state, { natural: true }) : state,
      input,
    ]),
  },
  {
    name: "steps on for context",
    rule: "a natural end with nothing but context closes: it proposes a step",
    transition: seeing((state, input) => {
      const goesOn = input.type === "stepped" && input.outcome === "completed" && state.nextStep.length > 0;
      return [state, goesOn ? { ...input, outcome: "continue" } : input];
    }),
  },
  {
    name: "takes max-tokens back",
    rule: "a turn that ran out of tokens once ends so: its last step decides",
    transition: seeing((state, input) => [
      input.type === "stepped" ? withPhase(state, { outcome: null }) : state,
      input,
    ]),
    survives: "no invariant speaks of which reason a turn ends with, but for aborted",
  },
  {
    name: "forgets a refused record",
    rule: "write-failed keeps the record as unwritten: it is forgotten",
    transition: answering((step, _before, input) =>
      input.type === "write-failed" ? { ...step, state: { ...step.state, unwritten: null } } : step,
    ),
  },
  {
    name: "forgets the latch on a fault",
    rule: "write-failed replays a latched wake: it does not",
    transition: seeing((state, input) => [
      input.type === "write-failed" ? withPhase(state, { latched: [] }) : state,
      input,
    ]),
  },
  {
    name: "faults in silence",
    rule: "write-failed has the effect fault: it has none",
    transition: answering((step) => ({ ...step, effects: without(step.effects, "fault") })),
  },
  {
    name: "takes reports of old turns",
    rule: "a report of another turn is stale: its turn is not compared",
    transition: admitting((state, input) => {
      const { phase } = state;
      const named = input.type === "proposed" || input.type === "stepped";
      return [state, named && phase.kind === "running" ? { ...input, turn: phase.turn } : input];
    }),
  },
  {
    name: "takes reports of other stages",
    rule: "a report of another stage is stale: a step ends while it is proposed",
    transition: admitting((state, input) => {
      const early = input.type === "stepped" && runningIn(state, "proposing") !== null;
      return [early ? withPhase(state, { stage: "stepping", batch: [] }) : state, input];
    }),
  },
  {
    name: "takes reports of other tasks",
    rule: "maintained of another activity is stale: its name is not compared",
    transition: admitting((state, input) => {
      const { phase } = state;
      const ends = input.type === "maintained" && phase.kind === "maintenance";
      return [state, ends ? { type: "maintained", activity: phase.activity } : input];
    }),
  },
];
