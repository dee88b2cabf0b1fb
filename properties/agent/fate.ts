/**
 * What has become of each message, as far as it can be seen from outside. Where it cannot be seen, the milder reading is
 * taken: an invariant that cries wolf is worth nothing.
 */
import type { AgentCommand, Message, Note, TurnRecord } from "../../core/agent/state.ts";
import type { History, Observation } from "./history.ts";
import { failsOwnTurn, isActive, type View } from "./view.ts";

/**
 * - `waiting`: pending, and asks for nothing (it does not wake)
 * - `due`: a waking message that the agent owes a turn
 * - `parked`: pending, and something that happened after it excuses the agent
 * - `claimed`: taken by a turn, not yet entered · `entered`: in a step · `gone`: retracted, cleared or blocked
 * - `refused`: the send itself failed
 */
export type FateState = "waiting" | "due" | "parked" | "claimed" | "entered" | "gone" | "refused";

export type Fate = {
  readonly message: Message;
  /** The number of the send, and of its answer; accepted somewhere between the two. */
  readonly sent: number;
  readonly answered: number | null;
  /** The final lane: steering that nobody is left to steer becomes a prompt. */
  readonly lane: "next-turn" | "next-step" | "unclear";
  /** A waking message that was certainly accepted after a stop or in closing. */
  readonly late: boolean;
  readonly state: FateState;
  /** A latched wake is replayed when the activity converges, also after a stop that keeps the inbox. */
  readonly latched: "no" | "maybe" | "surely";
  /** The turn of the step that it entered; 0 before. */
  readonly turn: number;
};

export function isPending({ state }: Fate): boolean {
  return state === "waiting" || state === "parked" || state === "due";
}

/** Returns the same array where nothing changes. */
export function nextFates(view: View, seen: Observation, history: History): readonly Fate[] {
  const { fates } = view;
  switch (seen.type) {
    case "command":
      return afterCommand(view, seen.command, seen.at, history);
    case "append":
      return afterRecord(view, seen.record, history);
    case "propose":
      return change(fates, (fate) => (includes(seen.messages, fate) && isPending(fate) ? to(fate, "claimed") : fate));
    case "run-step":
      return change(fates, (fate) =>
        includes(seen.messages, fate) ? { ...fate, state: "entered", turn: seen.turn } : fate,
      );
    case "removed":
      return removed(fates, seen.id, seen.outcome);
    case "status":
      if (seen.status === "idle") return afterIdle(view);
      // A new driver looks at the whole inbox: what was latched is due like everything else.
      return change(fates, (fate) => (fate.latched === "no" ? fate : { ...fate, latched: "no" }));
    case "settled":
      return afterAnswer(fates, seen.call, seen.at, seen.ok);
    default:
      return fates;
  }
}

function afterCommand(view: View, command: AgentCommand, at: number, history: History): readonly Fate[] {
  const { fates } = view;
  switch (command.type) {
    case "send":
      // An id that is pending is refused, and its first message goes on.
      if (fates.some((fate) => fate.message.id === command.message.id && (isPending(fate) || fate.state === "claimed")))
        return fates;
      return [...fates, accepted(view, history, command.message, at)];
    case "retract":
      return change(fates, (fate) => (fate.message.id === command.id && isPending(fate) ? to(fate, "gone") : fate));
    case "cancel":
      if (!command.keepInbox) {
        return change(fates, (fate) => (isPending(fate) || fate.state === "claimed" ? to(fate, "gone") : fate));
      }
      // At idle there is nothing to stop, so nothing is excused.
      return isActive(view) || view.unwinding !== null
        ? change(fates, (fate) => (history.policy.parking === "all" || fate.answered === null ? parkAll : park)(fate))
        : fates;
    case "dispose":
      return fates.map(parkAll);
    case "maintain":
      return fates;
  }
}

function accepted(view: View, history: History, message: Message, at: number): Fate {
  const late = message.wake && (view.stop !== null || view.live.some(({ what }) => what === "turn/end"));
  // With nothing in flight the agent may be on its way to closing, or past it, without anything to see.
  const between = view.status === "running" && view.stop === null && view.live.length === 0;
  const unclear = between || view.unwinding !== null;
  const steers = message.wake && message.lane === "next-step";
  return {
    message,
    sent: at,
    answered: null,
    lane: steers && late ? "next-turn" : steers && unclear ? "unclear" : message.lane,
    late,
    state: !message.wake ? "waiting" : view.disposed === null ? "due" : "parked",
    latched: message.wake && view.disposed === null ? latch(view, history, unclear) : "no",
    turn: 0,
  };
}

function latch(view: View, { policy }: History, unclear: boolean): Fate["latched"] {
  if (view.stop !== null || view.live.some(({ what }) => what === "task")) return "surely";
  // A failed turn that parks latches like a stopped one; one that drains goes on to the next turn, unseen until it does.
  if (view.failed) return policy.afterFailure === "park" ? "surely" : "maybe";
  return unclear ? "maybe" : "no";
}

function afterRecord(view: View, record: TurnRecord | Note, { policy }: History): readonly Fate[] {
  const { fates } = view;
  switch (record.type) {
    case "turn/end":
      return policy.afterFailure === "park" && failsOwnTurn(record, view) ? change(fates, park) : fates;
    case "inbox/inserted":
      return change(fates, (fate) =>
        fate.message.id === record.message.id && fate.state !== "gone" ? { ...fate, lane: record.message.lane } : fate,
      );
    case "inbox/removed":
      return removed(fates, record.id, record.outcome);
    case "inbox/restored":
      return change(fates, (fate) =>
        includes(record.messages, fate) && fate.state === "claimed"
          ? to(fate, fate.message.wake ? "parked" : "waiting")
          : fate,
      );
    default:
      return fates;
  }
}

/** A driver that ends because storage refused a record parks what it has not latched; only a latched wake tries again. */
function afterIdle({ fates, faulted }: View): readonly Fate[] {
  return faulted ? change(fates, park) : fates;
}

function afterAnswer(fates: readonly Fate[], call: number, at: number, ok: boolean): readonly Fate[] {
  if (!fates.some((fate) => fate.sent === call)) return fates;
  return change(fates, (fate) =>
    fate.sent === call ? { ...fate, answered: at, state: ok ? fate.state : "refused" } : fate,
  );
}

function removed(fates: readonly Fate[], id: string, outcome: "claimed" | "canceled" | "blocked"): readonly Fate[] {
  return change(fates, (fate) => {
    if (fate.message.id !== id || fate.state === "entered" || fate.state === "gone") return fate;
    return to(fate, outcome === "claimed" ? "claimed" : "gone");
  });
}

/** Excuses what is not surely latched; what may be latched is excused and may be replayed all the same. */
function park(fate: Fate): Fate {
  return fate.state === "due" && fate.latched !== "surely" ? to(fate, "parked") : fate;
}

/** Excuses everything, and nothing will be replayed. */
function parkAll(fate: Fate): Fate {
  return fate.state === "due" ? { ...fate, state: "parked", latched: "no" } : { ...fate, latched: "no" };
}

function to(fate: Fate, state: FateState): Fate {
  return { ...fate, state };
}

function includes(messages: readonly Message[], { message }: Fate): boolean {
  return messages.some(({ id }) => id === message.id);
}

function change(fates: readonly Fate[], next: (fate: Fate) => Fate): readonly Fate[] {
  const changed = fates.map(next);
  return changed.some((fate, index) => fate !== fates[index]) ? changed : fates;
}
