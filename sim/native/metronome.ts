/**
 * Measures the length of a drain in ticks: a chain of promise reactions beats once per round of the microtask queue,
 * and `v8.promiseHooks.before` counts the jobs of others between two beats. Two empty rounds end it. Callbacks of
 * queueMicrotask and nextTick are no promise jobs; the realm reports them.
 */
import { promiseHooks } from "node:v8";

const settled = Promise.resolve();

export class Metronome {
  #jobs = 0;
  #beat = 0;
  #lastBusy = 0;
  #empty = 0;
  #running = false;
  /** Jobs since `attach`, beats included. */
  total = 0;
  #stopHook: (() => void) | null = null;
  readonly #onBeat = (): void => this.#tick();

  /** Starts counting jobs. Hooks cost, so they are on only while drains are measured. */
  attach(): void {
    this.#stopHook ??= stopper(promiseHooks.onBefore(() => this.jobRan()));
  }

  jobRan(): void {
    this.#jobs++;
    this.total++;
  }

  detach(): void {
    this.#stopHook?.();
    this.#stopHook = null;
    this.#running = false;
  }

  /** Begins to measure the drain that is about to run. */
  start(): void {
    this.#jobs = 0;
    this.#beat = 0;
    this.#lastBusy = 0;
    this.#empty = 0;
    this.#running = true;
    settled.then(this.#onBeat);
  }

  /** The number of rounds in which somebody else had a job to run. Call after the drain. */
  read(): number {
    // What ran after the last beat was a nextTick that waited for the microtask queue: one more tick comes before it.
    const length = this.#running && this.#jobs > 0 ? this.#lastBusy + 1 : this.#lastBusy;
    this.#running = false;
    this.#lastBusy = 0;
    return length;
  }

  #tick(): void {
    if (!this.#running) return;
    this.#beat++;
    // One of the jobs was this beat itself.
    if (this.#jobs > 1) {
      this.#lastBusy = this.#beat;
      this.#empty = 0;
    } else {
      this.#empty++;
    }
    this.#jobs = 0;
    if (this.#empty < 2) settled.then(this.#onBeat);
  }
}

function stopper(stop: unknown): () => void {
  return typeof stop === "function" ? () => stop() : () => undefined;
}
