/**
 * Measures the length of a drain in ticks: a chain of jobs beats once per round of the microtask queue, and the jobs of
 * others between two beats are counted. Two empty rounds end it.
 */
import type { Jobs } from "../jobs.ts";

export class Metronome {
  readonly #queue: Jobs;
  #jobs = 0;
  #beat = 0;
  #lastBusy = 0;
  #empty = 0;
  #running = false;
  /** Jobs since `attach`, beats included. */
  total = 0;
  readonly #onBeat = (): void => this.#tick();

  constructor(queue: Jobs) {
    this.#queue = queue;
  }

  /** Starts counting jobs. To count costs, so it is done only while drains are measured. */
  attach(): void {
    this.#queue.count(true);
  }

  jobRan(): void {
    this.#jobs++;
    this.total++;
  }

  detach(): void {
    this.#queue.count(false);
    this.#running = false;
  }

  /** Begins to measure the drain that is about to run. */
  start(): void {
    this.#jobs = 0;
    this.#beat = 0;
    this.#lastBusy = 0;
    this.#empty = 0;
    this.#running = true;
    this.#queue.tick(this.#onBeat);
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
    if (this.#empty < 2) this.#queue.tick(this.#onBeat);
  }
}
