/**
 * Level jitter: inside the drain of a delivery one other may arrive, its companion, k ticks in. Both then come out of
 * one promise chain, as it were.
 */
import type { Chooser } from "../execution.ts";
import type { Jobs } from "../jobs.ts";
import type { Coverage } from "../race-coverage.ts";
import type { Settings } from "../runner.ts";
import type { Delivery } from "./delivery.ts";
import type { Metronome } from "./metronome.ts";
import type { Pending } from "./pending.ts";
import type { Tracer } from "./tracer.ts";

/** What companions need of the engine. */
export type CompanionEngine = {
  readonly settings: Settings;
  readonly jobs: Jobs;
  readonly chooser: Chooser;
  readonly pending: Pending;
  readonly tracer: Tracer;
  readonly metronome: Metronome;
  readonly coverage: Coverage | null;
  /** False when nothing is delivered any more. */
  readonly delivers: boolean;
  /** Delivers `companion` now, at that tick of the drain. */
  accompany(companion: Delivery, tick: number): void;
};

export class Companions {
  readonly #engine: CompanionEngine;
  readonly #candidates: Delivery[] = [];
  readonly #onTick = (): void => this.#tick();
  /** Who arrives inside the drain, and in how many ticks. */
  #arrival: Delivery | null = null;
  #arrivalTick = 0;
  #ticksLeft = 0;
  /** Longest drain seen so far in this campaign; the most that a delivery is delayed. */
  longestDrain = 0;

  constructor(engine: CompanionEngine) {
    this.#engine = engine;
  }

  reset(): void {
    this.#arrival = null;
  }

  /** Asks who arrives inside the drain that is about to run. */
  offer(after: Delivery): void {
    const { chooser, pending, tracer, settings, metronome, delivers } = this.#engine;
    const candidates = this.#candidates;
    const count = delivers ? pending.fillCompanions(candidates) : 0;
    const index = count === 0 ? 0 : chooser.companion(candidates, count, after);
    if (count > 0) tracer.chose(index);
    if (index > 0) this.#engine.coverage?.chose(candidates, count, index - 1);
    if (index === 0) {
      if (chooser.measures) metronome.start();
      return;
    }
    const companion = candidates[index - 1];
    if (companion === undefined || index > count) throw new RangeError(`No companion ${index} of ${count}`);
    const ticks = chooser.ticks(settings.jitterTicks ?? this.longestDrain, companion);
    tracer.chose(ticks);
    tracer.possible(candidates, count, index - 1);
    pending.take(companion);
    // Tick 1 is now, ahead of every job; tick k follows k - 1 rounds of the microtask queue.
    if (ticks === 1) {
      this.#engine.accompany(companion, 1);
      return;
    }
    this.#arrival = companion;
    this.#arrivalTick = ticks;
    this.#ticksLeft = ticks - 1;
    this.#engine.jobs.tick(this.#onTick);
  }

  /** After a drain: learns how long it was, where that is measured. */
  drained(): void {
    const { chooser, metronome } = this.#engine;
    if (!chooser.measures) return;
    const ticks = metronome.read();
    if (ticks > this.longestDrain) this.longestDrain = ticks;
    chooser.drained(ticks);
  }

  /** One link of the chain that delays an arrival: exactly one round of the microtask queue. */
  #tick(): void {
    const arrival = this.#arrival;
    if (arrival === null) return;
    this.#ticksLeft--;
    if (this.#ticksLeft > 0) {
      this.#engine.jobs.tick(this.#onTick);
      return;
    }
    this.#arrival = null;
    if (this.#engine.delivers) this.#engine.accompany(arrival, this.#arrivalTick);
  }
}
