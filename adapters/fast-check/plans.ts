/**
 * How a run of the scheduler places its tasks: one of our strategies, drawn for each run. fast-check comes back to a run
 * by its number alone, so a strategy can know nothing of the runs before it. What ours learn from earlier executions
 * (how long one is, how many deliveries a source has) is drawn here, on a scale of powers of two.
 */
import type { PossibleDelivery } from "../../sim/execution.ts";
import { Random, type StreamSeed, streamSeed } from "../../sim/random.ts";
import { PctChooser } from "../../sim/strategies/pct.ts";
import { SamplingChooser } from "../../sim/strategies/sampling.ts";

/** Chooses among waiting tasks; the oldest is 0. */
export type Placing = {
  delivery(possible: readonly PossibleDelivery[], count: number): number;
  delivered(delivery: PossibleDelivery): void;
};

/** Runs of 8 to 128 tasks. */
const shortest = 3;
const scales = 5;

/** The same placing for the same seed. */
export function placingOf(seed: string): Placing {
  const stream = streamSeed(seed, "schedule");
  const random = new Random(stream);
  const drawn = random.below(20);
  const length = 2 ** (shortest + random.below(scales));
  // Shares by what each finds that the others miss; priorities are good at both ends of a long wait.
  if (drawn < 3) return started(new SamplingChooser(stream));
  if (drawn < 7) return new WeighedPlacing(random, length);
  if (drawn < 12) return new StarvingPlacing(random, length);
  return priorities(stream, length);
}

/** Priorities take their change points from the longest execution that they have seen: they are shown one. */
function priorities(stream: StreamSeed, length: number): Placing {
  const chooser = new PctChooser(stream, null);
  chooser.restart(0);
  for (let placed = 0; placed < length; placed++) chooser.delivered(shown);
  chooser.learn();
  return started(chooser);
}

/** Not from the start of its stream, from which the strategy itself was drawn. */
function started(chooser: SamplingChooser): Placing {
  chooser.restart(1);
  return chooser;
}

const shown: PossibleDelivery = {
  ...{ name: "", source: "", kind: "io", family: { id: 0, label: "" }, touches: null, observed: null },
};

/** URW: a source is drawn in proportion to the tasks that it has still to come. A source has one, or about `length`. */
class WeighedPlacing implements Placing {
  readonly #random: Random;
  readonly #length: number;
  readonly #left = new Map<string, number>();

  constructor(random: Random, length: number) {
    this.#random = random;
    this.#length = length;
  }

  delivery(possible: readonly PossibleDelivery[], count: number): number {
    const counted = new Map<string, number>();
    let total = 0;
    let drawn = 0;
    for (const [index, { source }] of possible.slice(0, count).entries()) {
      const beside = (counted.get(source) ?? 0) + 1;
      counted.set(source, beside);
      if (beside > 1) continue;
      const weight = Math.max(1, this.#leftOf(source));
      total += weight;
      if (this.#random.below(total) < weight) drawn = index;
    }
    const source = possible[drawn]?.source;
    const all = possible.slice(0, count).flatMap((each, index) => (each.source === source ? [index] : []));
    return all[this.#random.below(all.length)] ?? 0;
  }

  delivered({ source }: PossibleDelivery): void {
    this.#left.set(source, this.#leftOf(source) - 1);
  }

  #leftOf(source: string): number {
    const known = this.#left.get(source);
    if (known !== undefined) return known;
    const drawn = this.#random.below(2) === 0 ? 1 : this.#length;
    this.#left.set(source, drawn);
    return drawn;
  }
}

/** Starvation: one source waits for a while, or for as long as there is anybody else. */
class StarvingPlacing implements Placing {
  readonly #random: Random;
  readonly #walks: boolean;
  readonly #from: number;
  readonly #until: number;
  #victim: string | null = null;
  #placed = 0;

  constructor(random: Random, length: number) {
    this.#random = random;
    this.#walks = random.below(4) === 0;
    this.#from = random.below(4) === 0 ? random.below(length) : 0;
    this.#until = random.below(4) === 0 ? Number.POSITIVE_INFINITY : this.#from + random.below(length);
  }

  delivery(possible: readonly PossibleDelivery[], count: number): number {
    const holding = this.#placed >= this.#from && this.#placed < this.#until;
    if (holding && this.#victim === null) this.#victim = possible[this.#random.below(count)]?.source ?? null;
    let free = 0;
    let drawn = 0;
    for (const [index, { source }] of possible.slice(0, count).entries()) {
      if (holding && source === this.#victim) continue;
      free++;
      if (free === 1 || (this.#walks && this.#random.below(free) === 0)) drawn = index;
    }
    return drawn;
  }

  delivered(): void {
    this.#placed++;
  }
}
