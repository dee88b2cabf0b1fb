/**
 * Delay-bounded scheduling: the first-come schedule, but a few times in an execution the source that is about to run
 * goes to the tail instead. Most races need one or two such delays, and there are far fewer schedules with two delays
 * than schedules.
 *
 * M. Emmi, S. Qadeer, Z. Rakamarić, Delay-bounded scheduling, POPL 2011. Deviations: where the paper enumerates all
 * ways to spend at most d delays, 1 … 3 are drawn, at random places of the longest execution seen so far (the first
 * execution has none, and is first-come); the queue is not of tasks but of sources, and a delayed one stays behind all
 * that were not delayed, or were before it; where only one source can run, its families queue up in the same way.
 */
import type { PossibleDelivery } from "../execution.ts";
import type { StreamSeed } from "../random.ts";
import type { Strategy } from "../strategy.ts";
import { Sampling, SamplingChooser } from "./sampling.ts";
import { Slots } from "./slots.ts";
import { Sources } from "./sources.ts";

const delaysMost = 3;

export function delayBounded(seed: StreamSeed): Strategy {
  return new Sampling("delay-bounded", new DelayChooser(seed, null));
}

/** With `delays`, every execution but the first has that many. */
export class DelayChooser extends SamplingChooser {
  readonly #fixedDelays: number | null;
  readonly #sources = new Sources();
  /** Places in the queue: 0 is where everybody begins, later delays are further back. */
  readonly #ofSource = new Slots();
  readonly #ofFamily = new Slots();
  /** Where the delays are spent, counted in deliveries; -1 once it has happened. */
  readonly #delays: Int32Array;
  #delayCount = 0;
  #tail = 0;
  #placed = 0;
  #longest = 0;

  constructor(seed: StreamSeed, delays: number | null) {
    super(seed);
    this.#fixedDelays = delays;
    this.#delays = new Int32Array(delays ?? delaysMost);
  }

  override restart(index: number): void {
    super.restart(index);
    this.#ofSource.clear();
    this.#ofFamily.clear();
    this.#tail = 0;
    this.#placed = 0;
    this.#delayCount = 0;
    if (this.#longest === 0) return;
    this.#delayCount = this.#fixedDelays ?? 1 + this.random.below(delaysMost);
    for (let delay = 0; delay < this.#delayCount; delay++) this.#delays[delay] = this.random.below(this.#longest);
  }

  override delivery(possible: readonly PossibleDelivery[], count: number): number {
    let head = this.#head(possible, count);
    for (let delay = 0; delay < this.#delayCount; delay++) {
      const delayed = possible[head];
      if (this.#delays[delay] !== this.#placed || delayed === undefined) continue;
      this.#toTail(delayed, delay);
      head = this.#head(possible, count);
    }
    return head;
  }

  /** A delay may lie where only one delivery is possible, and nobody asks: it runs, and its source comes last then. */
  override delivered(delivery: PossibleDelivery): void {
    for (let delay = 0; delay < this.#delayCount; delay++) {
      if (this.#delays[delay] === this.#placed) this.#toTail(delivery, delay);
    }
    this.#placed++;
  }

  override learn(): void {
    if (this.#placed > this.#longest) this.#longest = this.#placed;
  }

  #toTail(delivery: PossibleDelivery, delay: number): void {
    this.#tail++;
    this.#ofSource.set(this.#sources.idOf(delivery), this.#tail);
    this.#ofFamily.set(delivery.family.id, this.#tail);
    this.#delays[delay] = -1;
  }

  /** The first, in first-come order, of those whose source and family are least far back. */
  #head(possible: readonly PossibleDelivery[], count: number): number {
    let head = 0;
    let best = Number.POSITIVE_INFINITY;
    for (let index = 0; index < count; index++) {
      const candidate = possible[index];
      if (candidate === undefined) continue;
      const ofSource = this.#ofSource.get(this.#sources.idOf(candidate));
      const place = ofSource * (this.#tail + 1) + this.#ofFamily.get(candidate.family.id);
      if (place >= best) continue;
      best = place;
      head = index;
    }
    return head;
  }
}
