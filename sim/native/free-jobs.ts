/**
 * Level free: any job that is ready may run next, and any I/O or event step may come in between, so a drain becomes a row
 * of choices. Jobs are told, named and ordered like deliveries. First-come is the order of ECMAScript.
 */
import type { Chooser } from "../execution.ts";
import type { ChosenJobs, Jobs, ReadyJob } from "../jobs.ts";
import type { Coverage } from "../race-coverage.ts";
import { Delivery } from "./delivery.ts";
import type { Pending } from "./pending.ts";
import type { Tracer } from "./tracer.ts";

/** What free jobs need of the engine. */
export type FreeEngine = {
  readonly chooser: Chooser;
  readonly pending: Pending;
  readonly tracer: Tracer;
  readonly coverage: Coverage | null;
  /** False when nothing is delivered any more. */
  readonly delivers: boolean;
  /** The most jobs of one execution that the search decides. */
  readonly jobsMost: number;
  /** Names a job that has become ready. */
  askJob(job: ReadyJob): Delivery;
  /** Told before a job runs. */
  runs(job: Delivery): void;
  /** Delivers `companion` now, at that tick of the drain. */
  accompany(companion: Delivery, tick: number): void;
};

export class FreeJobs {
  readonly #engine: FreeEngine;
  readonly #jobs: ChosenJobs;
  readonly #ready: (ReadyJob | null)[] = [];
  readonly #possible: Delivery[] = [];

  /** Throws TypeError for a queue that nobody can choose from. */
  constructor(engine: FreeEngine, jobs: Jobs) {
    if (!isChosen(jobs)) throw new TypeError("Cannot choose jobs: expected the microtask engine, found the native one");
    this.#engine = engine;
    this.#jobs = jobs;
  }

  /** An execution begins. */
  begin(): void {
    this.#jobs.tell((job) => {
      job.delivery = job.frame?.owner === ownJobs ? null : this.#engine.askJob(job);
    });
  }

  /** Runs one drain, job by job. Where nothing is to be chosen any more, it leaves the rest. */
  run(): void {
    const { chooser, pending, tracer, jobsMost } = this.#engine;
    const jobs = this.#jobs;
    const possible = this.#possible;
    for (;;) {
      const ready = jobs.fill(this.#ready);
      if (ready === 0 || !this.#engine.delivers || tracer.jobs >= jobsMost) return;
      const own = this.#fill(ready);
      if (own >= 0) {
        jobs.run(own);
        continue;
      }
      const count = pending.fillCompanions(possible, ready);
      const index = count === 1 ? 0 : chooser.delivery(possible, count);
      const chosen = possible[index];
      if (chosen === undefined || index >= count) throw new RangeError(`No job ${index} of ${count} possible`);
      if (count > 1) {
        tracer.chose(index);
        this.#engine.coverage?.chose(possible, count, index);
      }
      tracer.possible(possible, count, index);
      if (index < ready) {
        this.#engine.runs(chosen);
        jobs.run(index);
      } else {
        pending.take(chosen);
        this.#engine.accompany(chosen, 0);
      }
    }
  }

  /** Writes the ready jobs into `possible`; answers the index of one of the engine's own, which is no choice, or -1. */
  #fill(ready: number): number {
    for (let index = 0; index < ready; index++) {
      const named = this.#ready[index]?.delivery;
      if (!(named instanceof Delivery)) return index;
      this.#possible[index] = named;
    }
    return -1;
  }
}

/** Owns the jobs of the engine itself: it looks on, and changes nothing. */
export const ownJobs: object = Object.freeze({});

function isChosen(jobs: Jobs): jobs is ChosenJobs {
  return jobs.engine === "microtask";
}
