/**
 * Race coverage: of any two conflicting deliveries that were open at once, which has gone first so far. A pair that was
 * only ever seen in one order is a race that the campaign has not tried; it steers the next samples.
 *
 * Pairs are of families (source and label), so that the count does not grow with the length of an execution. Idea: the
 * coverage of Maple (Yu, Narayanasamy, Pereira, Pokam, OOPSLA 2012) over deliveries instead of memory accesses.
 */
import { conflictDeclared } from "./dependence.ts";
import type { PossibleDelivery } from "./execution.ts";
import type { Ordering, RaceCoverage, RacePair, SourceLocation } from "./result.ts";

/** Pairs told by name in a result; the rest are counted. */
export const toldMost = 20;

type Seen = { readonly first: PossibleDelivery["family"]; readonly then: PossibleDelivery["family"]; names: Ordering };

export class Coverage {
  /** first × then → 1 once `first` was chosen while `then` was possible; 2: that was so, and they do not conflict. */
  #before = new Uint8Array(64 * 64);
  #width = 64;
  /** In order of discovery. */
  readonly #pairs: Seen[] = [];
  #independent = 0;

  /** Told at every choice point: the delivery at `index` goes first, the others of the first `count` wait. */
  chose(possible: readonly PossibleDelivery[], count: number, index: number): void {
    const chosen = possible[index];
    if (chosen === undefined) return;
    const first = chosen.family.id;
    if (first >= this.#width) this.#grow(first);
    for (let at = 0; at < count; at++) {
      const waiting = possible[at];
      if (waiting === undefined || at === index) continue;
      const then = waiting.family.id;
      if (then >= this.#width) this.#grow(then);
      const cell = first * this.#width + then;
      if (this.#before[cell] === 1 || first === then) continue;
      if (!conflictDeclared(chosen, waiting)) {
        if (this.#before[cell] === 0) this.#independent++;
        this.#before[cell] = 2;
        continue;
      }
      this.#before[cell] = 1;
      this.#pairs.push({
        first: chosen.family,
        then: waiting.family,
        names: { first: chosen.name, then: waiting.name },
      });
    }
  }

  /** True when more orders of pairs were seen whose deliveries do not conflict than such that do. */
  get fewConflict(): boolean {
    return this.#independent > this.#pairs.length;
  }

  /** Grows with every order of a pair that is seen for the first time. */
  get size(): number {
    return this.#pairs.length;
  }

  /** The order that was not seen yet, of each pair that was seen in one only; in order of discovery. */
  unseen(): Ordering[] {
    return this.#inOneOrder().map(({ names }) => ({ first: names.then, then: names.first }));
  }

  /** `locate` says where the deliveries of a family are asked for. */
  tell(locate: (family: number) => SourceLocation | null): RaceCoverage {
    const one = this.#inOneOrder();
    const told = one.slice(0, toldMost).map(
      ({ first, then, names }): RacePair => ({
        first: familyOf(names.first),
        then: familyOf(names.then),
        firstAt: locate(first.id),
        thenAt: locate(then.id),
      }),
    );
    const both = (this.#pairs.length - one.length) / 2;
    return { pairs: both + one.length, bothOrders: both, oneOrder: told };
  }

  #inOneOrder(): Seen[] {
    return this.#pairs.filter(({ first, then }) => this.#before[then.id * this.#width + first.id] !== 1);
  }

  #grow(family: number): void {
    const width = Math.max(family + 1, this.#width * 2);
    const before = new Uint8Array(width * width);
    for (let row = 0; row < this.#width; row++) {
      before.set(this.#before.subarray(row * this.#width, (row + 1) * this.#width), row * width);
    }
    this.#before = before;
    this.#width = width;
  }
}

function familyOf(name: string): string {
  return name.slice(0, name.lastIndexOf("#"));
}
