/**
 * Starvation: one source at a time is held back while anybody else can run, so that it waits through a chain as long as
 * the execution. Late completions after a cancel are of this kind: the random walk, which puts one delivery behind 40
 * others once in 2^40 executions, never finds them.
 *
 * First a sweep, in which nothing is random: each source seen so far is held from the beginning, once; then each from
 * after its first delivery on, from after its second, and so on; everything else is first-come. Then random windows: at
 * a random place somebody is held for a number of deliveries from a log scale, once or twice in an execution.
 *
 * R. O'Callahan, Introducing rr chaos mode, 2016 (a low priority for random intervals finds what fair schedulers hide).
 * Deviations: the sweep is ours; windows are counted in deliveries, and who is held is drawn among those at hand; around
 * a window half of the executions are first-come, half a random walk. Where a source had several deliveries open at
 * once, each of their families is starved like a source, because one source often is a whole program.
 */
import type { Chooser, PossibleDelivery } from "../execution.ts";
import type { StreamSeed } from "../random.ts";
import type { Ended, Strategy } from "../strategy.ts";
import { Lines, type Victim } from "./lines.ts";
import { SamplingChooser } from "./sampling.ts";

export class Starve implements Strategy {
  readonly name = "starve";
  readonly active = "starve";
  readonly detailed = false;
  readonly exhausted = null;
  readonly estimate = null;
  readonly #lines = new Lines();
  readonly #sweep: SweepChooser;
  readonly #windows: WindowChooser;
  #current: SamplingChooser;
  #longest = 0;

  constructor(seed: StreamSeed) {
    this.#sweep = new SweepChooser(seed, this.#lines);
    this.#windows = new WindowChooser(seed, this.#lines);
    this.#current = this.#sweep;
  }

  /** After how many of its deliveries the next one of the sweep is held; null: the sweep has ended, for all it knows. */
  get heldFrom(): number | null {
    return this.#lines.started ? (this.#lines.next()?.from ?? null) : 0;
  }

  next(index: number): Chooser {
    const victim = this.#lines.started ? this.#lines.next() : null;
    if (victim !== null) this.#lines.tries(victim);
    this.#sweep.victim = victim;
    this.#windows.longest = this.#longest;
    this.#current = this.#lines.started && victim === null ? this.#windows : this.#sweep;
    return this.again(index);
  }

  again(index: number): Chooser {
    this.#lines.begin();
    this.#current.restart(index);
    return this.#current;
  }

  ended({ deliveries }: Ended): void {
    if (deliveries > this.#longest) this.#longest = deliveries;
    this.#lines.learn(this.#sweep.first);
  }
}

/** The first-come schedule without the victim's deliveries, for as long as there is any other. Draws nothing. */
class SweepChooser extends SamplingChooser {
  readonly #lines: Lines;
  /** Null in the very first execution: nobody is known, so the source of what comes first is held. */
  victim: Victim | null = null;
  first = -1;

  constructor(seed: StreamSeed, lines: Lines) {
    super(seed);
    this.#lines = lines;
  }

  override restart(index: number): void {
    super.restart(index);
    this.first = -1;
  }

  override delivery(possible: readonly PossibleDelivery[], count: number): number {
    this.#lines.possible(possible, count);
    for (let index = 0; index < count; index++) {
      const candidate = possible[index];
      if (candidate !== undefined && !this.#holds(candidate)) return index;
    }
    return 0;
  }

  override companion(): number {
    return 0;
  }

  override data(): number {
    return 0;
  }

  override fault(): number {
    return 0;
  }

  override delivered(delivery: PossibleDelivery): void {
    this.#lines.delivered(delivery);
  }

  #holds(delivery: PossibleDelivery): boolean {
    if (this.victim !== null) return this.#lines.holds(delivery, this.victim);
    const source = this.#lines.sources.idOf(delivery);
    if (this.first < 0) this.first = source;
    return source === this.first;
  }
}

const windowsMost = 2;

class WindowChooser extends SamplingChooser {
  readonly #lines: Lines;
  longest = 0;
  readonly #starts = new Int32Array(windowsMost);
  readonly #ends = new Int32Array(windowsMost);
  /** Who is held in each window: a source, or a family where `#byFamily`; -1: nobody was drawn yet. */
  readonly #held = new Int32Array(windowsMost);
  readonly #byFamily: boolean[] = [];
  #windows = 0;
  #walks = false;
  #placed = 0;

  constructor(seed: StreamSeed, lines: Lines) {
    super(seed);
    this.#lines = lines;
  }

  override restart(index: number): void {
    super.restart(index);
    const { random } = this;
    this.#placed = 0;
    this.#walks = random.below(2) === 0;
    this.#windows = 1 + random.below(windowsMost);
    const scales = 33 - Math.clz32(Math.max(1, this.longest));
    for (let window = 0; window < this.#windows; window++) {
      const start = random.below(Math.max(1, this.longest));
      this.#starts[window] = start;
      this.#ends[window] = start + 2 ** random.below(scales);
      this.#held[window] = -1;
    }
  }

  override delivery(possible: readonly PossibleDelivery[], count: number): number {
    this.#lines.possible(possible, count);
    this.#open(possible, count);
    let free = 0;
    let drawn = 0;
    for (let index = 0; index < count; index++) {
      const candidate = possible[index];
      if (candidate === undefined || this.#holds(candidate)) continue;
      free++;
      if (free === 1 || (this.#walks && this.random.below(free) === 0)) drawn = index;
    }
    return drawn;
  }

  /** Whoever is held arrives in no drain either. */
  override companion(candidates: readonly PossibleDelivery[], count: number, after: PossibleDelivery): number {
    const drawn = super.companion(candidates, count, after);
    const arrives = candidates[drawn - 1];
    return arrives === undefined || this.#holds(arrives) ? 0 : drawn;
  }

  override delivered(delivery: PossibleDelivery): void {
    this.#lines.delivered(delivery);
    this.#placed++;
  }

  /** Draws who is held in windows that have just begun. */
  #open(possible: readonly PossibleDelivery[], count: number): void {
    for (let window = 0; window < this.#windows; window++) {
      if (!this.#isOpen(window) || this.#held[window] !== -1) continue;
      const victim = possible[this.random.below(count)];
      if (victim === undefined) continue;
      const source = this.#lines.sources.idOf(victim);
      let alone = true;
      for (let index = 0; index < count; index++) {
        const other = possible[index];
        if (other !== undefined && this.#lines.sources.idOf(other) !== source) alone = false;
      }
      this.#byFamily[window] = alone;
      this.#held[window] = alone ? victim.family.id : source;
    }
  }

  #isOpen(window: number): boolean {
    return this.#placed >= (this.#starts[window] ?? 0) && this.#placed < (this.#ends[window] ?? 0);
  }

  #holds(delivery: PossibleDelivery): boolean {
    for (let window = 0; window < this.#windows; window++) {
      if (!this.#isOpen(window)) continue;
      const id = this.#byFamily[window] === true ? delivery.family.id : this.#lines.sources.idOf(delivery);
      if (this.#held[window] === id) return true;
    }
    return false;
  }
}
