import type { AgentRecord, AgentRefusal, AgentState, Decision, Message, StepOutcome } from "./state.ts";

/** What the host asks of the application, and what it gives to it. */

export type StepRequest = {
  readonly turn: number;
  readonly step: number;
  readonly messages: readonly Message[];
  /** Aborted by the first stop of this turn, with an `AbortError` that tells its cause. A turn has one signal of its own. */
  readonly signal: AbortSignal;
};

export type AgentPorts = {
  /** Called for one record at a time, in order. A record that was refused comes again, so equal turn records count once. */
  append(record: AgentRecord): Promise<void>;
  /** Decides which messages enter the step. To throw is to decide `failed`. */
  propose(step: StepRequest): Promise<Decision>;
  /** Settles when the stream is torn down and the tools have settled, also after `signal`. To throw is to fail the turn. */
  runStep(step: StepRequest): Promise<StepOutcome>;
  onStatus?(status: AgentStatus): void;
  onRemoved?(message: Message, outcome: "claimed" | "canceled" | "blocked"): void;
  /** Hears what went wrong in a port or an observer. Without it an observer's error surfaces as uncaught. */
  onError?(error: unknown, source: AgentErrorSource): void;
};

export type AgentStatus = "idle" | "running";
export type AgentErrorSource = "append" | "propose" | "run-step" | "observer";

/** What became of a command. `parked`: accepted, but the agent is disposed and nothing will run it. */
export type Receipt =
  | { readonly outcome: "accepted" | "parked" }
  | { readonly outcome: "refused"; readonly reason: AgentRefusal };

export type Agent = {
  send(message: Message): Receipt;
  /** Sends a prompt that gets a turn of its own. */
  followUp(id: string, body?: unknown): Receipt;
  /** Sends input for the next step of the running turn; at idle it starts one. */
  steer(id: string, body?: unknown): Receipt;
  /** Sends context that waits for the next claim. */
  inject(id: string, body?: unknown): Receipt;
  /** Sends a prompt that waits until something else wakes the agent. */
  queue(id: string, body?: unknown): Receipt;
  retract(id: string): Receipt;
  /** Fires the abort signal and returns at once; `whenIdle` says when the activity has converged. */
  cancel(cause: string, options: { readonly keepInbox: boolean }): void;
  dispose(): void;
  /** Claims the agent before it returns. Rejects with `AgentBusyError`, or as the task does. */
  runMaintenance(task: (signal: AbortSignal) => Promise<void>): Promise<void>;
  whenIdle(): Promise<void>;
  readonly status: AgentStatus;
  /** In the order in which they would be claimed. */
  readonly pending: readonly Message[];
  readonly state: AgentState;
  /** Calls the listener for each change; returns the way to stop that. */
  onStatus(listener: (status: AgentStatus) => void): () => void;
  /** Calls the listener for each record that storage has taken, in the order of the log. */
  onRecord(listener: (record: AgentRecord) => void): () => void;
  /** Calls the listener for the first stop of each activity. */
  onStop(listener: (cause: string) => void): () => void;
};

/** Says why maintenance could not be started. */
export class AgentBusyError extends Error {
  override readonly name = "AgentBusyError";
  declare readonly reason: AgentRefusal;

  constructor(reason: AgentRefusal) {
    super(`Cannot run maintenance: expected idle, found ${reason}; await whenIdle()`);
    this.reason = reason;
  }
}
