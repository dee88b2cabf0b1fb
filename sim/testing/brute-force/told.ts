/** An execution told in full, with what a trace leaves out: which delivery made which choice of data. */
import type { Chooser, Execution, PossibleDelivery, TraceStep } from "../../execution.ts";

export type ToldStep = TraceStep & { readonly data: readonly number[] };

export type Told = {
  readonly execution: Execution;
  /** Data chosen before the first delivery. */
  readonly openingData: readonly number[];
  readonly steps: readonly ToldStep[];
  /** What the code under test had come to at the end, in words. */
  readonly state: string;
};

/** Asks another chooser, and keeps the data that each delivery chose. */
export class DataKept implements Chooser {
  readonly #inner: Chooser;
  /** The first list is that of the scenario's body. */
  readonly #data: number[][] = [[]];

  constructor(inner: Chooser) {
    this.#inner = inner;
  }

  get measures(): boolean {
    return this.#inner.measures;
  }

  tell(execution: Execution, state: string): Told {
    const [openingData = [], ...data] = this.#data;
    const steps = execution.steps.map((step, at) => ({ ...step, data: data[at] ?? [] }));
    return { execution, openingData, steps, state };
  }

  delivery(possible: readonly PossibleDelivery[], count: number): number {
    return this.#inner.delivery(possible, count);
  }

  companion(candidates: readonly PossibleDelivery[], count: number, after: PossibleDelivery): number {
    return this.#inner.companion(candidates, count, after);
  }

  ticks(most: number, companion: PossibleDelivery): number {
    return this.#inner.ticks(most, companion);
  }

  data(label: string, count: number): number {
    const chosen = this.#inner.data(label, count);
    this.#data.at(-1)?.push(chosen);
    return chosen;
  }

  fault(delivery: PossibleDelivery, kinds: readonly ("none" | "fail" | "hang")[]): number {
    return this.#inner.fault(delivery, kinds);
  }

  delivered(delivery: PossibleDelivery): void {
    this.#data.push([]);
    this.#inner.delivered(delivery);
  }

  drained(ticks: number): void {
    this.#inner.drained(ticks);
  }
}
