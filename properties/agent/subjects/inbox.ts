/** The inbox that the subjects share: two lanes, as the contract has them. They differ in how they drive, not in this. */
import type { Message } from "../../../core/agent/state.ts";

export class Inbox {
  #nextTurn: Message[] = [];
  #nextStep: Message[] = [];

  put(message: Message): void {
    (message.lane === "next-turn" ? this.#nextTurn : this.#nextStep).push(message);
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
}
