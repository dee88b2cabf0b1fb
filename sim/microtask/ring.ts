/** A queue of jobs in a ring that grows; any of its jobs can be taken, and the others keep their order. */
import type { Job } from "./job.ts";

const firstSize = 1024;

export class Ring {
  #slots: (Job | null)[] = new Array<Job | null>(firstSize).fill(null);
  #head = 0;
  #tail = 0;
  #mask = firstSize - 1;

  get length(): number {
    return (this.#tail - this.#head) & this.#mask;
  }

  push(job: Job): void {
    this.#slots[this.#tail] = job;
    this.#tail = (this.#tail + 1) & this.#mask;
    if (this.#tail === this.#head) this.#grow();
  }

  /** Takes the first job; null when there is none. */
  shift(): Job | null {
    if (this.#head === this.#tail) return null;
    const job = this.#slots[this.#head] ?? null;
    this.#slots[this.#head] = null;
    this.#head = (this.#head + 1) & this.#mask;
    return job;
  }

  at(index: number): Job | null {
    return index < this.length ? (this.#slots[(this.#head + index) & this.#mask] ?? null) : null;
  }

  /** Writes every job into a list, from `from` on, and gives the index behind the last. */
  fill(into: (Pick<Job, "label" | "frame" | "delivery"> | null)[], from: number): number {
    let at = from;
    for (let place = this.#head; place !== this.#tail; place = (place + 1) & this.#mask) {
      into[at++] = this.#slots[place] ?? null;
    }
    return at;
  }

  /** Takes the job at an index; those before it move back by one place. */
  take(index: number): Job | null {
    const job = this.at(index);
    if (job === null) return null;
    for (let place = index; place > 0; place--) {
      this.#slots[(this.#head + place) & this.#mask] = this.#slots[(this.#head + place - 1) & this.#mask] ?? null;
    }
    this.#slots[this.#head] = null;
    this.#head = (this.#head + 1) & this.#mask;
    return job;
  }

  /** Forgets every job. A watchdog may have ended the code anywhere before, even while the ring grew. */
  clear(): void {
    if (this.#head === this.#tail && this.#mask === this.#slots.length - 1) return;
    this.#slots.fill(null);
    this.#head = 0;
    this.#tail = 0;
    this.#mask = this.#slots.length - 1;
  }

  /** Head and tail have met: every slot is full. */
  #grow(): void {
    const size = this.#slots.length;
    const grown = new Array<Job | null>(size * 2).fill(null);
    for (let place = 0; place < size; place++) grown[place] = this.#slots[(this.#head + place) & this.#mask] ?? null;
    this.#slots = grown;
    this.#mask = size * 2 - 1;
    this.#head = 0;
    this.#tail = size;
  }
}
