/**
 * What somebody outside can tell about the agent at each point of a history: whether a driver lives, whether it was
 * stopped, what is in flight, what has become of each message. It follows the contract's words, not the core's code.
 *
 * An agent decides and then asks, and may ask a few ticks later (its records queue up behind a note in flight). So no
 * invariant judges by *when* a turn record was asked for where a status or a step tells the same thing at the right time.
 */
import type { TurnRecord } from "../../core/agent/state.ts";
import { type Fate, nextFates } from "./fate.ts";
import type { History, Observation } from "./history.ts";

/** A port call in flight that belongs to an activity. Notes and `whenIdle` are not among them. */
export type LiveCall = {
  readonly call: number;
  readonly what: "turn/start" | "turn/end" | "propose" | "run-step" | "task";
};

export type View = {
  readonly status: "idle" | "running";
  /** When the status last changed; null before the first change. */
  readonly since: number | null;
  readonly live: readonly LiveCall[];
  /** A task that has settled while its `maintain` has not: the agent may not have taken notice yet. */
  readonly unwinding: string | null;
  /** The first cancel or dispose that reached the live activity. */
  readonly stop: number | null;
  /** The turn that the live driver has opened last; null where it has only landed what was left over. */
  readonly opened: number | null;
  /** When the live driver asked for a turn/end; null again from the next turn/start on. */
  readonly closing: number | null;
  /** The turn/end that was asked for says that the driver's own turn has `failed`; an older turn's end parks nothing. */
  readonly failed: boolean;
  readonly disposed: number | null;
  /** The last record that storage answered for was refused: what waits behind it may have been given up, too. */
  readonly faulted: boolean;
  /** One for each message that was sent, in order of sending. */
  readonly fates: readonly Fate[];
};

const start: View = {
  status: "idle",
  since: null,
  live: [],
  unwinding: null,
  stop: null,
  opened: null,
  closing: null,
  failed: false,
  disposed: null,
  faulted: false,
  fates: [],
};

// Entry i is the view before observation i. A history only grows, so what is known of a prefix is never worked out twice.
const known = new WeakMap<History, View[]>();
let reading: History | null = null;
let views: View[] = [start];

/** Returns the view before the observation with the number `at`; by default the newest one. */
export function viewBefore(history: History, at = history.observations.length): View {
  if (history !== reading) {
    reading = history;
    views = known.get(history) ?? [start];
    known.set(history, views);
  }
  let view = views[Math.min(at, views.length - 1)] ?? start;
  for (let next = views.length - 1; next < at; next++) {
    const observation = history.observations[next];
    if (observation === undefined) break;
    view = nextView(view, observation, history);
    views.push(view);
  }
  return view;
}

/** Tells whether a driver or a maintenance task lives. */
export function isActive(view: View): boolean {
  return view.status === "running" || view.live.some(({ what }) => what === "task");
}

/** Names what the sighting starts, if it is a port call of an activity. */
export function activityCall(seen: Observation): LiveCall["what"] | null {
  switch (seen.type) {
    case "propose":
    case "run-step":
    case "task":
      return seen.type;
    case "append":
      return seen.record.type === "turn/start" || seen.record.type === "turn/end" ? seen.record.type : null;
    default:
      return null;
  }
}

function nextView(before: View, seen: Observation, history: History): View {
  const fates = nextFates(before, seen, history);
  const view = fates === before.fates ? before : { ...before, fates };
  const what = activityCall(seen);
  if (what !== null) return started({ ...view, live: [...view.live, { call: seen.at, what }] }, seen);
  switch (seen.type) {
    case "status":
      return {
        ...view,
        status: seen.status,
        since: seen.at,
        unwinding: null,
        stop: null,
        opened: null,
        closing: null,
        failed: false,
      };
    case "settled":
      return settled(view, seen.call, seen.ok, history);
    case "command":
      return commanded(view, seen.command.type, seen.at);
    default:
      return view;
  }
}

function started(view: View, seen: Observation): View {
  if (seen.type !== "append") return view;
  const { record } = seen;
  if (record.type === "turn/start") return { ...view, opened: record.turn, closing: null, failed: false };
  if (record.type === "turn/end") return { ...view, closing: seen.at, failed: failsOwnTurn(record, view) };
  return view;
}

/** Tells whether the record is the end of a failed turn that this driver has opened. */
export function failsOwnTurn(record: TurnRecord, { opened }: View): boolean {
  return record.type === "turn/end" && record.reason.kind === "failed" && record.turn === opened;
}

function settled(view: View, call: number, ok: boolean, { observations }: History): View {
  const called = observations[call];
  const live = view.live.filter((one) => one.call !== call);
  switch (called?.type) {
    case "append":
      return { ...view, live, faulted: !ok };
    case "propose":
    case "run-step":
      return { ...view, live };
    case "task":
      // A stop belongs to its activity: it ends with the task, as it ends with the driver.
      return { ...view, live, unwinding: called.activity, stop: view.status === "idle" ? null : view.stop };
    case "command":
      return called.command.type === "maintain" && called.command.activity === view.unwinding
        ? { ...view, unwinding: null }
        : view;
    default:
      return view;
  }
}

function commanded(view: View, command: string, at: number): View {
  if (command !== "cancel" && command !== "dispose") return view;
  const stop = view.stop ?? (isActive(view) ? at : null);
  return { ...view, stop, disposed: command === "dispose" ? (view.disposed ?? at) : view.disposed };
}
