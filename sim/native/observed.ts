/** What one delivery and its drain were seen to touch of the things that are the simulator's own. */
import type { TakenBack } from "../execution.ts";
import type { Touches } from "../scenario.ts";

export class Observed {
  readonly #reads = new Set<string>();
  readonly #writes = new Set<string>();
  /** Deliveries that were taken back: a timer cleared, an immediate cancelled. */
  readonly takenBack: TakenBack[] = [];
  /** Things made so far; numbers the next one. */
  made = 0;

  touch(resource: string, writes: boolean): void {
    (writes ? this.#writes : this.#reads).add(resource);
  }

  get touches(): Required<Touches> {
    const writes = [...this.#writes].sort();
    return { reads: [...this.#reads].filter((resource) => !this.#writes.has(resource)).sort(), writes };
  }
}
