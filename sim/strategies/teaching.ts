/** Passes every question on to another chooser, and tells others of the deliveries that they did not place themselves. */
import type { Chooser, PossibleDelivery } from "../execution.ts";
import type { SamplingChooser } from "./sampling.ts";

export class TeachingChooser implements Chooser {
  readonly #pupils: readonly SamplingChooser[];
  #teacher: Chooser;
  #index = 0;

  constructor(teacher: Chooser, pupils: readonly SamplingChooser[]) {
    this.#teacher = teacher;
    this.#pupils = pupils;
  }

  /** Starts execution `index`, which `teacher` decides. */
  begin(teacher: Chooser, index: number): this {
    this.#teacher = teacher;
    this.#index = index;
    for (const pupil of this.#pupils) if (pupil !== teacher) pupil.restart(this.#index);
    return this;
  }

  /** Ends it: the pupils remember what they have seen. */
  end(): void {
    for (const pupil of this.#pupils) if (pupil !== this.#teacher) pupil.learn();
  }

  get measures(): boolean {
    return this.#teacher.measures;
  }

  delivery(possible: readonly PossibleDelivery[], count: number): number {
    return this.#teacher.delivery(possible, count);
  }

  companion(candidates: readonly PossibleDelivery[], count: number, after: PossibleDelivery): number {
    return this.#teacher.companion(candidates, count, after);
  }

  ticks(most: number, companion: PossibleDelivery): number {
    return this.#teacher.ticks(most, companion);
  }

  data(label: string, count: number): number {
    return this.#teacher.data(label, count);
  }

  fault(delivery: PossibleDelivery, kinds: readonly ("none" | "fail" | "hang")[]): number {
    return this.#teacher.fault(delivery, kinds);
  }

  delivered(delivery: PossibleDelivery): void {
    this.#teacher.delivered(delivery);
    for (const pupil of this.#pupils) if (pupil !== this.#teacher) pupil.delivered(delivery);
  }

  drained(ticks: number): void {
    this.#teacher.drained(ticks);
  }
}
