/**
 * Random walk: every possible delivery is as likely as any other, at every choice point. At level jitter a delivery
 * arrives inside a drain one time in four, after a number of ticks drawn uniformly up to the longest drain measured.
 * Estimates the number of classes as it goes, see ClassEstimate.
 *
 * P. Thomson, A. Donaldson, A. Betts, Concurrency testing using controlled schedulers, TOPC 2016, has it as the baseline
 * that is hard to beat where bugs are shallow. Deviation: faults and late arrivals are not as likely as any other option,
 * but one in four, or hardly an execution would be without them.
 */
import type { Chooser, PossibleDelivery } from "../execution.ts";
import type { StreamSeed } from "../random.ts";
import type { Estimate, Level } from "../result.ts";
import type { Ended, Strategy } from "../strategy.ts";
import { ClassEstimate } from "./class-estimate.ts";
import { rareness, SamplingChooser } from "./sampling.ts";

const logs = Float64Array.from({ length: 64 }, (_, count) => Math.log(count));

export class RandomWalk implements Strategy {
  readonly name = "random";
  readonly active = "random";
  readonly exhausted = null;
  readonly #chooser: RandomChooser;
  /** At level jitter the walk is not uniform, and no estimate is made. */
  readonly #classes: ClassEstimate | null;

  constructor(seed: StreamSeed, level: Level) {
    this.#chooser = new RandomChooser(seed);
    this.#classes = level === "jitter" ? null : new ClassEstimate();
  }

  /** Now and then, where there is something to learn for the estimate. */
  get detailed(): boolean {
    return this.#classes?.looks ?? false;
  }

  next(index: number): Chooser {
    return this.again(index);
  }

  again(index: number): Chooser {
    this.#chooser.restart(index);
    return this.#chooser;
  }

  ended(end: Ended): void {
    if (end.violated) return;
    this.#classes?.walked(this.#chooser.log, this.detailed ? end.tell() : null);
  }

  get estimate(): Estimate | null {
    return this.#classes?.estimate ?? null;
  }
}

class RandomChooser extends SamplingChooser {
  /** The logarithm of one over the probability of this walk. */
  log = 0;

  override restart(index: number): void {
    super.restart(index);
    this.log = 0;
  }

  override delivery(possible: readonly PossibleDelivery[], count: number): number {
    // Asked at every choice: most have few options.
    this.log += logs[count] ?? Math.log(count);
    return super.delivery(possible, count);
  }

  override data(label: string, count: number): number {
    this.log += Math.log(count);
    return super.data(label, count);
  }

  override fault(delivery: PossibleDelivery, kinds: readonly string[]): number {
    const index = super.fault(delivery, kinds);
    const each = 1 / (rareness * kinds.length);
    this.log -= Math.log(index === 0 ? 1 - 1 / rareness + each : each);
    return index;
  }
}
