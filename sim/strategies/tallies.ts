/**
 * How many deliveries each source (or family, or whatever has a small id) has had in this execution, and how many it
 * had at most in any before. One execution's count is not enough: an early cancel cuts it short, and a strategy that
 * believed it would never again look at what comes late. So maxima over all of them are kept.
 */
import { Slots } from "./slots.ts";

export class Tallies {
  readonly #now = new Slots();
  readonly #most = new Slots();
  /** Ids are below this. */
  #end = 0;

  /** Starts an execution. */
  begin(): void {
    this.#now.clear();
  }

  add(id: number): void {
    if (id >= this.#end) this.#end = id + 1;
    this.#now.set(id, this.#now.get(id) + 1);
  }

  now(id: number): number {
    return this.#now.get(id);
  }

  most(id: number): number {
    return this.#most.get(id);
  }

  /** How many are still to come, if this execution is as long as the longest. */
  left(id: number): number {
    return Math.max(0, this.#most.get(id) - this.#now.get(id));
  }

  /** Ends an execution: what it had counts from now on. */
  learn(): void {
    for (let id = 0; id < this.#end; id++) {
      if (this.#now.get(id) > this.#most.get(id)) this.#most.set(id, this.#now.get(id));
    }
  }
}
