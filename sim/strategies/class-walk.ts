/**
 * Counts classes instead of orders along a random walk. With sleep sets the tree of all executions has one leaf for each
 * class, beside blocked ones that count nothing; so the product of how many deliveries were awake at each choice is an
 * unbiased estimate of how many classes there are (D. E. Knuth, Estimating the efficiency of backtrack programs, 1975).
 *
 * A brother that would have been tried before is asleep behind the one chosen, if they are independent. What it would touch
 * of the simulator's own things is taken from what its family touched in executions told in full, all of it together.
 */
import { conflict } from "../dependence.ts";
import type { PossibleDelivery } from "../execution.ts";
import type { Touches } from "../scenario.ts";

/** Executions that are told in full, to learn from; each new family asks for another one. */
const lessons = 8;

type Learned = { readonly reads: Set<string>; readonly writes: Set<string>; touches: Touches | null };

export class ClassWalk {
  /** The estimate of this walk. */
  product = 1;
  readonly #learned = new Map<number, Learned>();
  #asleep: PossibleDelivery[] = [];
  readonly #awake: number[] = [];
  /** Executions learned from, and whether there is anything to learn. */
  #lessons = 0;
  #declares = false;
  /** A family was met that nothing is known of: in the walk before, in this one. */
  #asks = false;
  #unknown = false;
  /** Delivered in this walk; learned from when it has ended, so that one that is cut off leaves nothing behind. */
  #delivered: PossibleDelivery[] = [];

  /** Something was declared, so that classes are counted; otherwise every order is a class of its own. */
  get declares(): boolean {
    return this.#declares;
  }

  /** Wants the next execution told in full. */
  get learns(): boolean {
    return this.#lessons === 0 || (this.#declares && (this.#lessons < lessons || this.#asks));
  }

  restart(): void {
    this.product = 1;
    this.#asleep = [];
    this.#unknown = false;
    this.#delivered = [];
  }

  /** Multiplies by a choice all of whose options are different: by one over how likely the one taken was. */
  times(factor: number): void {
    this.product *= factor;
  }

  /** Picks who comes next; `draw` draws one of so many. */
  choose(possible: readonly PossibleDelivery[], count: number, draw: (count: number) => number): number {
    const awake = this.#awake;
    awake.length = 0;
    for (let index = 0; index < count; index++) {
      const delivery = possible[index];
      if (delivery !== undefined && !this.#asleep.includes(delivery)) awake.push(index);
    }
    // All asleep: the walk ends here, the execution does not.
    if (awake.length === 0) return draw(count);
    this.product *= awake.length;
    const drawn = draw(awake.length);
    for (const index of awake.slice(0, drawn)) {
      const brother = possible[index];
      if (brother !== undefined) this.#asleep.push(brother);
    }
    return awake[drawn] ?? 0;
  }

  /** Told of every delivery, chosen or not, before it runs. */
  delivered(delivery: PossibleDelivery): void {
    if (this.learns) this.#delivered.push(delivery);
    const asleep = this.#asleep;
    if (asleep.length === 0) return;
    if (asleep.includes(delivery)) this.product = 0;
    this.#asleep = asleep.filter((other) => !this.#dependent(other, delivery));
  }

  /** Told once the execution has ended. */
  ended(): void {
    if (this.learns) this.#lessons++;
    for (const delivery of this.#delivered) {
      if (delivery.touches !== null) this.#declares = true;
      this.#learn(delivery);
    }
    this.#asks = this.#unknown;
  }

  #dependent(one: PossibleDelivery, other: PossibleDelivery): boolean {
    if (one.touches === null && other.touches === null) return true;
    const [first, second] = [this.#learned.get(one.family.id), this.#learned.get(other.family.id)];
    if (first === undefined || second === undefined) {
      this.#unknown = true;
      return true;
    }
    return conflict(withLearned(one, first), withLearned(other, second));
  }

  /** What a delivery was seen to touch, where the execution was told in full. */
  #learn({ observed, family }: PossibleDelivery): void {
    if (observed === null) return;
    const { reads, writes } = observed.touches;
    const known = this.#learned.get(family.id) ?? { reads: new Set(), writes: new Set(), touches: null };
    const before = known.reads.size + known.writes.size;
    for (const name of reads) known.reads.add(name);
    for (const name of writes) known.writes.add(name);
    if (known.reads.size + known.writes.size !== before || known.touches === null) {
      known.touches = { reads: [...known.reads], writes: [...known.writes] };
    }
    this.#learned.set(family.id, known);
  }
}

function withLearned({ source, touches }: PossibleDelivery, { touches: observed }: Learned) {
  return { source, touches, observed };
}
