/**
 * Race coverage: of any two conflicting deliveries that were open at once, which has gone first so far. A pair that was
 * only ever seen in one order is a race that the campaign has not tried; it steers the next samples.
 *
 * Pairs are of families (source and label), so that the count does not grow with the length of an execution. Idea: the
 * coverage of Maple (Yu, Narayanasamy, Pereira, Pokam, OOPSLA 2012) over deliveries instead of memory accesses.
 *
 * It also notes which deliveries nothing was declared for: each is taken to conflict with everything, so some of these
 * pairs, and of the classes, are there for want of a declaration only.
 */
import { conflictDeclared } from "./dependence.ts";
import type { PossibleDelivery, TraceStep } from "./execution.ts";
import type { Ordering, RaceCoverage, RacePair, SourceLocation } from "./result.ts";

/** Pairs told by name in a result; the rest are counted. */
export const toldMost = 20;

/** No more is kept of one family: a program that makes ever new things must not take ever more time. */
const observedMost = 200;

type Observed = { readonly touches: Set<string>; readonly writes: Set<string> };
type Seen = { readonly first: PossibleDelivery["family"]; readonly then: PossibleDelivery["family"]; names: Ordering };

export class Coverage {
  /** first × then → 1 once `first` was chosen while `then` was possible; 2: that was so, and they do not conflict. */
  #before = new Uint8Array(64 * 64);
  #width = 64;
  /** In order of discovery. */
  readonly #pairs: Seen[] = [];
  /** Orders of pairs that do not conflict, as far as is known. */
  #apart: Seen[] = [];
  /** By source and label: what its deliveries were seen to touch in executions that were told in full. */
  readonly #observed = new Map<string, Observed>();
  /** By family: 1 once a delivery of it was open beside others, and nothing was declared for it. */
  #bare = new Uint8Array(64);
  /** Those families, in order of discovery. */
  readonly #undeclared: { readonly name: string; readonly family: number }[] = [];
  /** Something was declared for somebody. */
  #declares = false;

  /** Told at every choice point: the delivery at `index` goes first, the others of the first `count` wait. */
  chose(possible: readonly PossibleDelivery[], count: number, index: number): void {
    const chosen = possible[index];
    if (chosen === undefined) return;
    const first = chosen.family.id;
    if (first >= this.#width) this.#grow(first);
    if (count > 1) this.#declared(chosen);
    for (let at = 0; at < count; at++) {
      const waiting = possible[at];
      if (waiting === undefined || at === index) continue;
      const then = waiting.family.id;
      if (then >= this.#width) this.#grow(then);
      this.#declared(waiting);
      const cell = first * this.#width + then;
      const before = this.#before[cell];
      if (before === 1 || first === then) continue;
      const isConflict = conflictDeclared(chosen, waiting);
      // What was observed is looked at where it is news: here, and in `learn`.
      if (before === 2 && !isConflict) continue;
      const names = { first: chosen.name, then: waiting.name };
      const seen = { first: chosen.family, then: waiting.family, names };
      const counts = isConflict || this.#seenToMeet(names);
      this.#before[cell] = counts ? 1 : 2;
      if (counts) this.#pairs.push(seen);
      else this.#apart.push(seen);
    }
  }

  /**
   * Told of executions in full: who was seen to touch what conflicts, whatever was declared. What was declared to touch
   * nothing because a harness sees it all would never be a race otherwise.
   */
  learn(steps: readonly Pick<TraceStep, "name" | "observed">[]): void {
    let news = false;
    for (const { name, observed } of steps) {
      const known = this.#observedOf(familyOf(name));
      const size = known.touches.size + known.writes.size;
      if (size >= observedMost) continue;
      for (const resource of observed.reads) known.touches.add(resource);
      for (const resource of observed.writes) {
        known.touches.add(resource);
        known.writes.add(resource);
      }
      if (known.touches.size + known.writes.size > size) news = true;
    }
    if (!news) return;
    const apart = this.#apart;
    this.#apart = [];
    for (const seen of apart) {
      const cell = seen.first.id * this.#width + seen.then.id;
      // Another delivery of these families has declared otherwise since.
      if (this.#before[cell] === 1) continue;
      if (this.#seenToMeet(seen.names)) {
        this.#before[cell] = 1;
        this.#pairs.push(seen);
      } else this.#apart.push(seen);
    }
  }

  #observedOf(family: string): Observed {
    let known = this.#observed.get(family);
    if (known === undefined) {
      known = { touches: new Set(), writes: new Set() };
      this.#observed.set(family, known);
    }
    return known;
  }

  #seenToMeet({ first, then }: Ordering): boolean {
    const [one, other] = [this.#observed.get(familyOf(first)), this.#observed.get(familyOf(then))];
    if (one === undefined || other === undefined) return false;
    return meet(one.writes, other.touches) || meet(other.writes, one.touches);
  }

  /** True when more orders of pairs were seen whose deliveries do not conflict than such that do. */
  get fewConflict(): boolean {
    return this.#apart.length > this.#pairs.length;
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
    const races = { pairs: both + one.length, bothOrders: both, oneOrder: told };
    // Where nobody declares anything there is no precision to lose.
    if (!this.#declares || this.#undeclared.length === 0) return races;
    const bare = this.#undeclared
      .slice(0, toldMost)
      .map(({ name, family }) => ({ name: familyOf(name), at: locate(family) }));
    return { ...races, undeclared: { families: this.#undeclared.length, told: bare } };
  }

  #declared({ family: { id }, name, touches }: PossibleDelivery): void {
    if (touches !== null) this.#declares = true;
    else if (this.#bare[id] === 0) {
      this.#bare[id] = 1;
      this.#undeclared.push({ name, family: id });
    }
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
    const bare = new Uint8Array(width);
    bare.set(this.#bare);
    this.#bare = bare;
    this.#width = width;
  }
}

function familyOf(name: string): string {
  return name.slice(0, name.lastIndexOf("#"));
}

function meet(written: ReadonlySet<string>, touched: ReadonlySet<string>): boolean {
  for (const resource of written) if (touched.has(resource)) return true;
  return false;
}
