/** Stuck work that was taken away from its owner, who had closed: as it may still be going on, it is remembered by its fence. */
import type { SeenCall, SeenLease } from "./seen.ts";

export class FencedOff {
  /** The name of a child may come again, so not by its name alone. */
  readonly #leases = new Set<string>();
  /**
   * Of these, the calls that have not released, and whose limit was over before time was seen to move. Where the timer
   * itself is seen it has come, and what it does or does not do is judged by what becomes of whom.
   */
  readonly #stuck = new Set<SeenCall>();

  add({ id, fence }: SeenLease): void {
    this.#leases.add(keyOf(id, fence));
  }

  addStuck(call: SeenCall): void {
    this.#stuck.add(call);
  }

  released(call: SeenCall): void {
    this.#stuck.delete(call);
  }

  has(holder: string, fence: number | null): boolean {
    return this.#leases.has(keyOf(holder, fence));
  }

  get stuck(): readonly SeenCall[] {
    return [...this.#stuck];
  }

  /** Of the same calls, as they were copied. */
  copy(copied: (calls: Iterable<SeenCall>) => readonly SeenCall[]): FencedOff {
    const copy = new FencedOff();
    for (const key of this.#leases) copy.#leases.add(key);
    for (const call of copied(this.#stuck)) copy.#stuck.add(call);
    return copy;
  }

  /** Equal for those that know the same. */
  told(): readonly unknown[] {
    return [this.stuck.map(({ id }) => id), [...this.#leases]];
  }
}

function keyOf(holder: string, fence: number | null): string {
  return `${fence} of ${holder}`;
}
