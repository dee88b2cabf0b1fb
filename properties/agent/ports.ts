/**
 * The two sides of an agent as the kit sees them: what it must offer, and what it is given. `createAgent` takes the same
 * ports. Subjects and other people's runtimes are written against these types only.
 */
import type { Decision, Message, Note, StepOutcome, TurnRecord } from "../../core/agent/state.ts";

export type { StepOutcome } from "../../core/agent/state.ts";
export type RemovalOutcome = "claimed" | "canceled" | "blocked";

/** `messages` are those that enter now, never the history. */
export type StepCall = {
  readonly turn: number;
  readonly step: number;
  readonly messages: readonly Message[];
  readonly signal: AbortSignal;
};

export type AgentUnderTest = {
  send(message: Message): unknown;
  cancel(cause: string, options: { readonly keepInbox: boolean }): unknown;
  whenIdle(): Promise<unknown>;
  retract?(id: string): unknown;
  dispose?(): unknown;
  runMaintenance?(task: (signal: AbortSignal) => Promise<void>): unknown;
};

export type AgentPorts = {
  /** An agent without notes never sends them; one that writes synchronously need not wait. */
  append(record: TurnRecord | Note): Promise<void>;
  /** May be left uncalled. */
  propose(step: StepCall): Promise<Decision>;
  /** Throws when failed. After `signal` it settles in a delivery of its own, by rejecting; until then the step is live. */
  runStep(step: StepCall): Promise<StepOutcome>;
  onStatus(status: "idle" | "running"): void;
  /** May be left uncalled; sharpens the verdicts. */
  onRemoved(message: Message, outcome: RemovalOutcome): void;
};
