/**
 * What can be seen of an agent from outside, in the order in which it was seen: the commands it was given, what it asked
 * of its ports and how that was answered, and what it announced. Invariants read this and nothing else, so they serve the
 * core, the faulty subjects and somebody else's runtime alike.
 */

import type { AgentCommand, AgentPolicy, Message, Note, TurnRecord } from "../../core/agent/state.ts";
import { own, touch } from "../../sim/owned.ts";
import type { RemovalOutcome, StepOutcome } from "./ports.ts";

export type Sighting =
  /**
   * A command was given; it takes effect here or, where the agent answers with a promise, before that settles. One that
   * was given inside a port call takes effect here or later, but not after it has `returned`.
   */
  | { readonly type: "command"; readonly command: AgentCommand; readonly inside?: true }
  /** The synchronous stretch in which the command `call` was given inside a port call is over. */
  | { readonly type: "returned"; readonly call: number }
  | { readonly type: "append"; readonly record: TurnRecord | Note }
  | { readonly type: "propose"; readonly turn: number; readonly step: number; readonly messages: readonly Message[] }
  | { readonly type: "run-step"; readonly turn: number; readonly step: number; readonly messages: readonly Message[] }
  /** The agent has started a maintenance task that it was given. */
  | { readonly type: "task"; readonly activity: string }
  | { readonly type: "when-idle" }
  /** Answers the sighting with the number `call`. */
  | {
      readonly type: "settled";
      readonly call: number;
      readonly ok: boolean;
      readonly outcome?: StepOutcome;
      /** What a command, or a wait, was refused with. */
      readonly error?: string;
    }
  /** The signal of a port call in flight was aborted. */
  | { readonly type: "aborted"; readonly call: number }
  | { readonly type: "status"; readonly status: "idle" | "running" }
  | { readonly type: "removed"; readonly id: string; readonly outcome: RemovalOutcome };

/** `at` is the sequence number: 0, 1, 2 and so on. */
export type Observation = Sighting & { readonly at: number };

export type History = {
  readonly policy: AgentPolicy;
  /** Only ever grows at its end, so what was derived from a prefix stays true. */
  readonly observations: readonly Observation[];
};

/** The contract's defaults, spelled out here so that a wrong default in the core is seen. */
export const contractPolicy: AgentPolicy = { parking: "unlatched", afterFailure: "park", claim: "one" };

/** A history that is being written. */
export class Recording implements History {
  readonly policy: AgentPolicy;
  readonly observations: Observation[] = [];
  /** Told of each observation as it is added. */
  onSeen: ((observation: Observation) => void) | null = null;
  /** Commands are being given inside a port call. */
  #inside = false;

  constructor(policy: Partial<AgentPolicy> = {}) {
    this.policy = { ...contractPolicy, ...policy };
    own(this);
  }

  /** Adds what was seen and returns its number. */
  add(sighting: Sighting): number {
    // An agent runs where it is called or answered, and that is written down: so whatever drain changes it is seen here.
    touch(this);
    const at = this.observations.length;
    const seen = { ...sighting, at };
    this.observations.push(seen);
    this.onSeen?.(seen);
    return at;
  }

  /** Adds a command; where it is given inside a port call, also the end of the stretch in which the agent may take it. */
  addCommand(command: AgentCommand): number {
    if (!this.#inside) return this.add({ type: "command", command });
    const call = this.add({ type: "command", command, inside: true });
    // No promise job can run before everything that is on the stack now has returned.
    queueMicrotask(() => this.add({ type: "returned", call }));
    return call;
  }

  /** Runs `give`, whose commands are given inside a port call. */
  givesInside(give: () => void): void {
    const before = this.#inside;
    this.#inside = true;
    give();
    this.#inside = before;
  }
}

/** Puts one observation into a line of text, for violations and golden traces. */
export function describeObservation(observation: Observation): string {
  return `#${observation.at} ${describeSighting(observation)}`;
}

function describeSighting(seen: Sighting): string {
  switch (seen.type) {
    case "command":
      return `${describeCommand(seen.command)}${seen.inside ? " from inside" : ""}`;
    case "returned":
      return `the call around #${seen.call} has returned`;
    case "append":
      return `append ${describeRecord(seen.record)}`;
    case "propose":
    case "run-step":
      return `${seen.type} ${seen.turn}.${seen.step} [${seen.messages.map(({ id }) => id).join(", ")}]`;
    case "task":
      return `maintenance ${seen.activity} runs`;
    case "when-idle":
      return "whenIdle()";
    case "settled":
      return `#${seen.call} ${seen.ok ? (seen.outcome ?? "settled") : "failed"}`;
    case "aborted":
      return `the signal of #${seen.call} is aborted`;
    case "status":
      return seen.status;
    case "removed":
      return `${seen.id} is ${seen.outcome}`;
  }
}

function describeCommand(command: AgentCommand): string {
  switch (command.type) {
    case "send":
      return `send ${command.message.id}`;
    case "retract":
      return `retract ${command.id}`;
    case "cancel":
      return `cancel ${command.cause}${command.keepInbox ? ", keeping the inbox" : ", clearing the inbox"}`;
    case "dispose":
      return "dispose";
    case "maintain":
      return `maintain ${command.activity}`;
  }
}

function describeRecord(record: TurnRecord | Note): string {
  switch (record.type) {
    case "turn/start":
      return `turn/start ${record.turn}`;
    case "turn/end":
      return `turn/end ${record.turn} ${record.reason.kind}`;
    default:
      return record.type;
  }
}
