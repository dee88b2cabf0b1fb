/** Rules of cancel and dispose, each changed once. */
import type { AgentState } from "../../../core/agent/state.ts";
import { answering, isStopped, latchOf, type Mutant, without, withPhase } from "./mutant.ts";

const idle: AgentState["phase"] = { kind: "idle" };

export const stopMutants: readonly Mutant[] = [
  {
    name: "clears prompts only",
    rule: "cancel without keepInbox clears both lanes: it leaves next-step",
    transition: answering((step, before, input) =>
      input.type === "cancel" && !input.keepInbox
        ? {
            state: { ...step.state, nextStep: before.nextStep },
            effects: step.effects.filter(
              (effect) =>
                effect.type !== "append" ||
                effect.record.type !== "inbox/removed" ||
                !before.nextStep.some(({ id }) => effect.record.type === "inbox/removed" && id === effect.record.id),
            ),
          }
        : step,
    ),
  },
  {
    name: "clears around the batch",
    rule: "cancel without keepInbox clears the open batch: it leaves it, although it is noted as canceled",
    transition: answering((step, before, input) =>
      input.type === "cancel" && !input.keepInbox && before.phase.kind === "running"
        ? {
            ...step,
            state: withPhase(step.state, { batch: before.phase.kind === "running" ? before.phase.batch : [] }),
          }
        : step,
    ),
  },
  {
    name: "keeps the latch on clear",
    rule: "cancel without keepInbox empties latched: it keeps it",
    transition: answering((step, before, input) =>
      input.type === "cancel" && !input.keepInbox
        ? { ...step, state: withPhase(step.state, { latched: latchOf(before) }) }
        : step,
    ),
    survives: "converge replays only for what is still pending, and after a clear nothing of the latch is",
  },
  {
    name: "keeps the latch under parking all",
    rule: "cancel with keepInbox under parking all empties latched: it keeps it",
    policy: { parking: "all" },
    transition: answering((step, before, input) =>
      input.type === "cancel" && input.keepInbox
        ? { ...step, state: withPhase(step.state, { latched: latchOf(before) }) }
        : step,
    ),
  },
  {
    name: "empties the latch on every stop",
    rule: "cancel with keepInbox keeps latched: it empties it",
    transition: answering((step, _before, input) =>
      input.type === "cancel" ? { ...step, state: withPhase(step.state, { latched: [] }) } : step,
    ),
  },
  {
    name: "idles on cancel",
    rule: "a stop leaves the activity to converge: a driver is idle at once",
    transition: answering((step, before, input) =>
      input.type === "cancel" && before.phase.kind === "running"
        ? { state: { ...step.state, phase: idle }, effects: [...step.effects, { type: "status", status: "idle" }] }
        : step,
    ),
  },
  {
    name: "arms a stop at idle",
    rule: "cancel at idle stops nothing: it aborts",
    transition: answering((step, before, input) =>
      input.type === "cancel" && before.phase.kind === "idle"
        ? { ...step, effects: [...step.effects, { type: "abort", cause: input.cause }] }
        : step,
    ),
  },
  {
    name: "replaces the cause",
    rule: "a second stop keeps the first cause: its own replaces it",
    transition: answering((step, before, input) =>
      isStopped(before) && (input.type === "cancel" || (input.type === "dispose" && !before.disposed))
        ? {
            ...step,
            state: withPhase(step.state, {
              stop: { cause: input.type === "cancel" ? input.cause : "disposed" },
            }),
          }
        : step,
    ),
    survives: "no invariant speaks of causes: section 4 says it (the first one stays), section 6 does not",
  },
  {
    name: "aborts again",
    rule: "a second stop has no effect abort: it has",
    transition: answering((step, before, input) =>
      input.type === "cancel" && isStopped(before)
        ? { ...step, effects: [...step.effects, { type: "abort", cause: input.cause }] }
        : step,
    ),
    survives: "no invariant counts aborts: an AbortController takes the second one in silence",
  },
  {
    name: "keeps the latch on dispose",
    rule: "dispose empties latched: it keeps it",
    transition: answering((step, before, input) =>
      input.type === "dispose" ? { ...step, state: withPhase(step.state, { latched: latchOf(before) }) } : step,
    ),
    survives: "converge replays nothing once disposed is set, so the latch of a disposed activity is never read",
  },
  {
    name: "forgets the inbox on dispose",
    rule: "dispose keeps the inbox: it empties it",
    transition: answering((step, _before, input) =>
      input.type === "dispose" ? { ...step, state: { ...step.state, nextTurn: [], nextStep: [] } } : step,
    ),
  },
  {
    name: "disposes in silence",
    rule: "dispose at idle has the effect disposed: it has none",
    transition: answering((step, _before, input) =>
      input.type === "dispose" ? { ...step, effects: without(step.effects, "disposed") } : step,
    ),
  },
];
