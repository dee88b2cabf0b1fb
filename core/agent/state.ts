/**
 * What an agent is made of, as values: messages, turns, the state, and what goes in and comes out of `transition`.
 * Nothing here does anything; the rules stand in `transition.ts`.
 */

/** `next-turn` messages start a turn of their own; `next-step` messages join the running turn at its next step. */
export type Message = {
  readonly id: string;
  readonly lane: "next-turn" | "next-step";
  /** The message asks for a turn if nothing is running. */
  readonly wake: boolean;
  readonly body?: unknown;
};

export type TurnEndReason =
  | { readonly kind: "completed" }
  | { readonly kind: "max-tokens" }
  | { readonly kind: "blocked" }
  | { readonly kind: "failed" }
  | { readonly kind: "aborted"; readonly cause: string }
  | { readonly kind: "interrupted" };

export type TurnRecord =
  | { readonly type: "turn/start"; readonly turn: number }
  | { readonly type: "turn/end"; readonly turn: number; readonly reason: TurnEndReason };

/** Appended in order with the turn records; needs no answer. `turn` stands for `claimed` and `blocked`. */
export type Note =
  | { readonly type: "inbox/inserted"; readonly message: Message }
  | {
      readonly type: "inbox/removed";
      readonly id: string;
      readonly outcome: "claimed" | "canceled" | "blocked";
      readonly turn?: number;
    }
  | { readonly type: "inbox/restored"; readonly messages: readonly Message[] }
  | { readonly type: "user/message"; readonly turn: number; readonly step: number; readonly message: Message };

/** Everything the log holds. */
export type AgentRecord = TurnRecord | Note;

export type Decision =
  | { readonly kind: "enter"; readonly messages: readonly Message[] }
  | { readonly kind: "reject" }
  | { readonly kind: "failed" };

/** The first `cancel` or `dispose` that reached an activity. Its cause stays. */
export type Stop = { readonly cause: string };

export type Stage = "opening" | "proposing" | "stepping" | "closing";

/** A driver run. */
export type Running = {
  readonly kind: "running";
  readonly stage: Stage;
  readonly turn: number;
  readonly step: number;
  readonly batch: readonly Message[];
  readonly outcome: TurnEndReason | null;
  /** The previous step ended with `completed` or `max-tokens`. */
  readonly natural: boolean;
  readonly stop: Stop | null;
  /** Ids of the waking messages to replay for when this activity converges. */
  readonly latched: readonly string[];
};

/** A maintenance task, compaction and the like; observers see it as idle. */
export type Maintenance = {
  readonly kind: "maintenance";
  readonly activity: string;
  readonly stop: Stop | null;
  readonly latched: readonly string[];
};

export type Phase = { readonly kind: "idle" } | Maintenance | Running;

export type AgentState = {
  readonly phase: Phase;
  readonly nextTurn: readonly Message[];
  readonly nextStep: readonly Message[];
  /** Highest turn whose `turn/start` is durable; 0 before the first. */
  readonly lastTurn: number;
  /** A turn record that storage refused; it lands before any later one. */
  readonly unwritten: TurnRecord | null;
  readonly disposed: boolean;
};

export type AgentPolicy = {
  /** `unlatched`: keepInbox keeps the latch too. `all`: every keepInbox stop parks everything accepted before it. */
  readonly parking: "unlatched" | "all";
  readonly afterFailure: "park" | "drain";
  /** Next-turn prompts taken by one turn. */
  readonly claim: "one" | "all";
};

/** How a step ended: its tools ran and the model wants to go on, or it stopped by itself. */
export type StepOutcome = "continue" | "completed" | "max-tokens";

/** What the application asks for. */
export type AgentCommand =
  | { readonly type: "send"; readonly message: Message }
  | { readonly type: "retract"; readonly id: string }
  | { readonly type: "cancel"; readonly cause: string; readonly keepInbox: boolean }
  | { readonly type: "dispose" }
  | { readonly type: "maintain"; readonly activity: string };

/** What the host reports: exactly one answer to each request. */
export type AgentReport =
  | { readonly type: "maintained"; readonly activity: string }
  | { readonly type: "written"; readonly record: TurnRecord }
  | { readonly type: "write-failed"; readonly record: TurnRecord }
  | { readonly type: "proposed"; readonly turn: number; readonly step: number; readonly decision: Decision }
  | {
      readonly type: "stepped";
      readonly turn: number;
      readonly step: number;
      readonly outcome: StepOutcome | "failed";
    };

export type AgentInput = AgentCommand | AgentReport;

/** What the host has to do, in order. */
export type AgentEffect =
  | { readonly type: "status"; readonly status: "idle" | "running" }
  | { readonly type: "append"; readonly record: AgentRecord }
  | { readonly type: "propose"; readonly turn: number; readonly step: number; readonly messages: readonly Message[] }
  | { readonly type: "run-step"; readonly turn: number; readonly step: number; readonly messages: readonly Message[] }
  | { readonly type: "abort"; readonly cause: string }
  | { readonly type: "run-maintenance"; readonly activity: string }
  | { readonly type: "quiescent" }
  | { readonly type: "disposed" }
  | { readonly type: "fault"; readonly record: TurnRecord }
  | { readonly type: "refused"; readonly input: AgentInput; readonly reason: AgentRefusal }
  | { readonly type: "stale"; readonly input: AgentInput };

export type AgentRefusal = "duplicate-id" | "not-pending" | "disposed" | "busy" | "unwritten" | "still-pending";

export type AgentStep = { readonly state: AgentState; readonly effects: readonly AgentEffect[] };
