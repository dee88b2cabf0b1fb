/**
 * A whole state: the agent's own, and what of the past its environment and its invariants need. All of that is worked out
 * from inputs and effects (`past.ts`), never read off the agent's state, so that a wrong state does not vouch for itself.
 */
import type { AgentInput, AgentReport, AgentState, Message, TurnRecord } from "../../../core/agent/state.ts";
import { initialState } from "../../../core/agent/transition.ts";
import type { Bounds } from "./bounds.ts";

/**
 * A command, an answer to what the host was asked, or something else that may come at any time. `late`: the report of an
 * activity, a turn, a step or a stage that is no longer. `crash`: the process dies and a new one restores the log; `landed`
 * if the turn record in flight had reached storage.
 */
export type WorldInput =
  | AgentInput
  | { readonly type: "late"; readonly report: AgentReport }
  | { readonly type: "crash"; readonly landed: boolean };

/** What the host was asked to do and has not answered: there is never more than one. */
export type Request =
  | { readonly kind: "none" }
  | { readonly kind: "write"; readonly record: TurnRecord }
  | { readonly kind: "propose"; readonly turn: number; readonly step: number }
  | { readonly kind: "step"; readonly turn: number; readonly step: number }
  | { readonly kind: "maintenance"; readonly activity: string };

/** What has become of a message. `cleared` is set apart from the other ends, because a clear promises something of its own. */
export type Fate = {
  readonly place: "pending" | "batch" | "over" | "cleared";
  readonly lane: Message["lane"];
  readonly wake: boolean;
  /**
   * A turn is owed to it: by the live driver, or by the driver that replays it. `no`: it is served, or something that
   * happened after it has parked it.
   */
  readonly owed: "no" | "live" | "latched";
};

export type Past = {
  readonly request: Request;
  readonly status: "idle" | "running";
  /** A stop has reached the live activity. */
  readonly stopped: boolean;
  /** Nothing may start until the next wake, because of a stop or of a clear. Only while an activity is live. */
  readonly hold: "none" | "parked" | "cleared";
  /** The live driver has not had its turn yet. */
  readonly debt: boolean;
  /** The last step of this turn ended with tools to be answered. */
  readonly tools: boolean;
  readonly disposal: "none" | "asked" | "reached";
  /** The last turn of the log, and whether it has no end yet. */
  readonly logTurn: number;
  readonly logOpen: boolean;
  /** A note waits behind the turn record in flight. Told only while a crash may come. */
  readonly behind: boolean;
};

export type World = {
  readonly agent: AgentState;
  readonly past: Past;
  /** Of the messages sent so far, in the order of acceptance: `a`, `b`, `c` and so on. */
  readonly fates: readonly Fate[];
  /** How often the process may still die. What else runs out is no part of this: `prices.ts`. */
  readonly crashesLeft: number;
};

export const nothingAsked: Request = { kind: "none" };

/** The past of a process that has just begun. */
export const untold: Past = {
  request: nothingAsked,
  status: "idle",
  stopped: false,
  hold: "none",
  debt: false,
  tools: false,
  disposal: "none",
  logTurn: 0,
  logOpen: false,
  behind: false,
};

export function initialWorld({ crashes }: Bounds): World {
  return { agent: initialState, past: untold, fates: [], crashesLeft: crashes };
}

const firstCode = "a".charCodeAt(0);

export function idOf(index: number): string {
  return String.fromCharCode(firstCode + index);
}

/** Messages are named in the order of acceptance, so an id is also a rank. */
export function indexOf(id: string): number {
  return id.charCodeAt(0) - firstCode;
}

/** A message that the host adds when it decides what enters. It was never in the inbox. */
export const addition: Message = { id: "+", lane: "next-step", wake: false };

/** Whether the input is the answer that the host owes. */
export function isAnswer({ type }: WorldInput): boolean {
  switch (type) {
    case "written":
    case "write-failed":
    case "proposed":
    case "stepped":
    case "maintained":
      return true;
    default:
      return false;
  }
}
