/** Rules of send, retract and maintain, each changed once. */
import type { AgentState } from "../../../core/agent/state.ts";
import { transition } from "../../../core/agent/transition.ts";
import { admitting, answering, isStopped, latchOf, type Mutant, started, withoutNotes, withPhase } from "./mutant.ts";

const idle: AgentState["phase"] = { kind: "idle" };
const isClosing = ({ phase }: AgentState) => phase.kind === "running" && phase.stage === "closing";

/** Forgets what a send has latched, where `here` says so. */
const forgettingLatch = (here: (before: AgentState) => boolean) =>
  answering((step, before, input) =>
    input.type === "send" && here(before)
      ? { ...step, state: withPhase(step.state, { latched: latchOf(before) }) }
      : step,
  );

/** Keeps a late steer in its own lane, where `here` says so. */
const keepingLane = (here: (before: AgentState) => boolean) =>
  answering((step, before, input) => {
    if (input.type !== "send" || input.message.lane !== "next-step" || !here(before)) return step;
    const { message } = input;
    const { nextTurn } = step.state;
    if (!nextTurn.some(({ id }) => id === message.id)) return step;
    return {
      state: {
        ...step.state,
        nextTurn: nextTurn.filter(({ id }) => id !== message.id),
        nextStep: [...step.state.nextStep, message],
      },
      effects: step.effects.map((effect) =>
        effect.type === "append" && effect.record.type === "inbox/inserted"
          ? { type: "append", record: { type: "inbox/inserted", message } }
          : effect,
      ),
    };
  });

export const commandMutants: readonly Mutant[] = [
  {
    name: "parks late wakes",
    rule: "send after a stop adds its id to latched: it does not",
    transition: forgettingLatch(isStopped),
  },
  {
    name: "parks wakes of maintenance",
    rule: "send during maintenance adds its id to latched: it does not",
    transition: forgettingLatch(({ phase }) => phase.kind === "maintenance"),
  },
  {
    name: "parks wakes behind a failure",
    rule: "send while the outcome is failed adds its id to latched: it does not",
    transition: forgettingLatch(({ phase }) => phase.kind === "running" && phase.outcome?.kind === "failed"),
  },
  {
    name: "latches every wake",
    rule: "send to a live driver latches nothing: it latches its id",
    transition: answering((step, before, input) =>
      input.type === "send" && input.message.wake && before.phase.kind === "running"
        ? { ...step, state: withPhase(step.state, { latched: [...latchOf(before), input.message.id] }) }
        : step,
    ),
  },
  {
    name: "latches when disposed",
    rule: "send after dispose starts nothing: it is taken as before dispose",
    transition: answering((step, before, input, policy) => {
      if (input.type !== "send" || !before.disposed) return step;
      const open = transition(policy, { ...before, disposed: false }, input);
      return { ...open, state: { ...open.state, disposed: true } };
    }),
  },
  {
    name: "steers a stopped turn",
    rule: "send of a wake after a stop becomes next-turn: it keeps its lane",
    transition: keepingLane(isStopped),
  },
  {
    name: "steers a closing turn",
    rule: "send of a wake in closing becomes next-turn: it keeps its lane",
    transition: keepingLane((before) => isClosing(before) && !isStopped(before)),
  },
  {
    name: "wakes for context",
    rule: "send of context at idle starts nothing: it starts a driver",
    transition: answering((step, before, input, policy) => {
      if (input.type !== "send" || input.message.wake || before.phase.kind !== "idle" || before.disposed) return step;
      const { state, effects } = started(policy, step.state);
      return { state, effects: [...step.effects, ...effects] };
    }),
  },
  {
    name: "sleeps through steers",
    rule: "send of a wake at idle starts a driver: a steer does not",
    transition: answering((step, before, input) =>
      input.type === "send" && input.message.lane === "next-step" && before.phase.kind === "idle"
        ? { state: { ...step.state, phase: idle, unwritten: before.unwritten }, effects: step.effects.slice(0, 1) }
        : step,
    ),
  },
  {
    name: "accepts an id twice",
    rule: "send of an id in the open batch is refused: it is accepted",
    transition: admitting((state, input) => {
      const inBatch =
        input.type === "send" &&
        state.phase.kind === "running" &&
        state.phase.batch.some(({ id }) => id === input.message.id);
      return [inBatch ? withPhase(state, { batch: [] }) : state, input];
    }),
  },
  {
    name: "retracts without a note",
    rule: "retract notes inbox/removed: it does not",
    transition: answering((step, _before, input) =>
      input.type === "retract" ? { ...step, effects: withoutNotes(step.effects, "inbox/removed") } : step,
    ),
  },
  {
    name: "retracts on paper",
    rule: "retract removes the message: it only notes so",
    transition: answering((step, before, input) => (input.type === "retract" ? { ...step, state: before } : step)),
  },
  {
    name: "maintains while busy",
    rule: "maintain during an activity is refused: it takes over",
    transition: admitting((state, input) => [input.type === "maintain" ? { ...state, phase: idle } : state, input]),
  },
  {
    name: "maintains after dispose",
    rule: "maintain after dispose is refused: it is taken",
    transition: (policy, state, input) => {
      if (input.type !== "maintain" || state.phase.kind !== "idle") return transition(policy, state, input);
      const open = transition(policy, { ...state, disposed: false }, input);
      return { ...open, state: { ...open.state, disposed: state.disposed } };
    },
  },
  {
    name: "maintains over an unwritten record",
    rule: "maintain while a record is unwritten is refused: it is taken",
    transition: (policy, state, input) => {
      if (input.type !== "maintain" || state.phase.kind !== "idle") return transition(policy, state, input);
      const open = transition(policy, { ...state, unwritten: null }, input);
      return open.effects.some(({ type }) => type === "refused")
        ? transition(policy, state, input)
        : { ...open, state: { ...open.state, unwritten: state.unwritten } };
    },
    survives: "no invariant forbids it: maintenance writes no turn record, and the next driver still lands the old one",
  },
];
