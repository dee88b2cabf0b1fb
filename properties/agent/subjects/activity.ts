/**
 * What is live in a subject: a run of its driver, or a maintenance task. It keeps what belongs to this one activity and
 * ends with it: its stop, and the wakes that came too late for it. Which wakes those are is up to the subject.
 */
import type { Message, TurnEndReason } from "../../../core/agent/state.ts";
import type { Inbox } from "./inbox.ts";

export class Activity {
  readonly kind: "driver" | "task";
  /** Ids of the waking messages to start over for when this activity has converged. */
  readonly latched = new Set<string>();
  #closing = false;
  #outcome: TurnEndReason | null = null;
  #controller = new AbortController();

  constructor(kind: "driver" | "task" = "driver") {
    this.kind = kind;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isStopped(): boolean {
    return this.#controller.signal.aborted;
  }

  /** How the turn ends whose end is being written; null before that. */
  get outcome(): TurnEndReason | null {
    return this.#outcome;
  }

  get hasFailed(): boolean {
    return this.#outcome?.kind === "failed";
  }

  /** Nobody is left to steer. */
  get isLeaving(): boolean {
    return this.#closing || this.isStopped;
  }

  /** The cause of the first stop stays. */
  stop(cause: string): void {
    this.#controller.abort(cause);
  }

  opensTurn(): void {
    this.#closing = false;
    this.#outcome = null;
  }

  /** Without a reason where the end of an older turn is being written. */
  closesTurn(reason: TurnEndReason | null = null): void {
    this.#closing = true;
    this.#outcome = reason;
  }

  /** Gives the next turn a signal of its own. A stop of the last one is forgotten with it. */
  freshController(): void {
    this.#controller = new AbortController();
  }

  /** A wake that was taken back meanwhile asks for nothing. */
  isWoken(inbox: Inbox): boolean {
    return [...this.latched].some((id) => inbox.has(id));
  }

  /** What a message asks for once it comes to this activity: steering that nobody is left to follow is a prompt. */
  takes(message: Message): Message {
    return message.wake && this.isLeaving ? { ...message, lane: "next-turn" } : message;
  }
}
