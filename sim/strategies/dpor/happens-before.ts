/**
 * Which deliveries of a trace come before which others in every order of its class: those that conflict, or of which one
 * was asked for in the drain of the other, and what follows from that. One bitset a delivery; the rows of a beginning that
 * two traces share are kept.
 */
import { conflict, type Touching } from "../../dependence.ts";

/** A delivery of a trace, as far as happens-before goes. */
export type Placed = Touching & { readonly name: string; readonly askedBy: string | null };

/** How a delivery stands to those before a certain place in the trace. */
export type Standing = {
  /** All that come before it in happens-before. */
  readonly past: Uint32Array<ArrayBuffer>;
  /**
   * Those that conflict with it with nothing between them in happens-before, so that the other order is conceivable;
   * latest first. Who asked for it is none of them.
   */
  readonly races: readonly number[];
};

export class HappensBefore {
  readonly #standings: Standing[] = [];
  readonly #indexOf = new Map<string, number>();
  #steps: readonly Placed[] = [];

  /** Reads a trace from `from` on; what is before was read already. The standing of deliveries from `count` on is not asked. */
  read(steps: readonly Placed[], from: number, count: number): void {
    this.#steps = steps;
    for (let at = from; at < steps.length; at++) {
      const step = steps[at];
      if (step === undefined) break;
      this.#indexOf.set(step.name, at);
      if (at < count) this.#standings[at] = this.pending(step, at, this.#standings[at]?.past.fill(0));
    }
  }

  /** How delivery `then` stands to all before it. */
  standing(then: number): Standing {
    return this.#standings[then] ?? nowhere;
  }

  /** How a delivery that was asked for before `at` would stand, did it come there. */
  pending(step: Placed, at: number, past = new Uint32Array((at + 31) >>> 5)): Standing {
    const steps = this.#steps;
    const asker = this.asker(step, at);
    const races: number[] = [];
    for (let before = at - 1; before >= 0; before--) {
      const other = steps[before];
      if (other === undefined || comesBefore(past, before)) continue;
      if (before !== asker) {
        if (!conflict(other, step)) continue;
        races.push(before);
      }
      past[before >>> 5] = (past[before >>> 5] ?? 0) | (1 << (before & 31));
      const further = this.standing(before).past;
      for (let word = 0; word < further.length; word++) past[word] = (past[word] ?? 0) | (further[word] ?? 0);
    }
    return { past, races };
  }

  /** Index of the delivery in whose drain one at `at` or later was asked for; -1: the scenario's body. */
  asker({ askedBy }: Placed, at: number): number {
    if (askedBy === null) return -1;
    const index = this.#indexOf.get(askedBy);
    // Who is known from another trace may stand elsewhere in this one, or not at all.
    return index !== undefined && index < at && this.#steps[index]?.name === askedBy ? index : -1;
  }
}

const nowhere: Standing = { past: new Uint32Array(0), races: [] };

export function comesBefore(past: Uint32Array, before: number): boolean {
  return ((past[before >>> 5] ?? 0) & (1 << (before & 31))) !== 0;
}
