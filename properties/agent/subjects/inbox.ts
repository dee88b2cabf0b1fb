/** The inbox that the subjects share: two lanes, as the contract has them. They differ in how they drive, not in this. */
import type { Message } from "../../../core/agent/state.ts";

export class Inbox {
  #nextTurn: Message[] = [];
  #nextStep: Message[] = [];

  /** Throws where a message of this id is pending. */
  put(message: Message): void {
    if (this.has(message.id)) throw new Error(`Cannot send "${message.id}": a message of this id is pending`);
    this.#laneOf(message).push(message);
  }

  /** Takes a message out; undefined when it is not pending. */
  remove(id: string): Message | undefined {
    const found = [...this.#nextStep, ...this.#nextTurn].find((message) => message.id === id);
    this.#nextTurn = this.#nextTurn.filter((message) => message !== found);
    this.#nextStep = this.#nextStep.filter((message) => message !== found);
    return found;
  }

  clear(): readonly Message[] {
    return [...this.#nextStep.splice(0), ...this.#nextTurn.splice(0)];
  }

  /** Everything that waits for a step, and one prompt. */
  claimForTurn(): readonly Message[] {
    return [...this.#nextStep.splice(0), ...this.#nextTurn.splice(0, 1)];
  }

  claimForStep(): readonly Message[] {
    return this.#nextStep.splice(0);
  }

  /** What was claimed and did not enter goes back to the heads of its lanes. */
  giveBack(messages: readonly Message[]): void {
    for (const message of [...messages].reverse()) this.#laneOf(message).unshift(message);
  }

  has(id: string): boolean {
    return [...this.#nextStep, ...this.#nextTurn].some((message) => message.id === id);
  }

  /** Context that was only injected never spends a model call by itself. */
  get wantsTurn(): boolean {
    return this.#nextTurn.length > 0 || this.wantsStep;
  }

  get wantsStep(): boolean {
    return this.#nextStep.some((message) => message.wake);
  }

  #laneOf({ lane }: Message): Message[] {
    return lane === "next-turn" ? this.#nextTurn : this.#nextStep;
  }
}
