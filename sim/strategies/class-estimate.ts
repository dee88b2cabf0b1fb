/**
 * Estimates how many classes there are from random walks. One over the probability of a walk is an unbiased estimate of
 * the number of orders (D. E. Knuth, Estimating the efficiency of backtrack programs, 1975); divided by how many orders
 * the walk's class has, it is one of the number of classes, because every order of the class would have counted for it.
 * Where nothing is declared to be touched, every order is a class of its own, and nothing has to be divided.
 */
import type { Execution } from "../execution.ts";
import type { Estimate } from "../result.ts";
import { HappensBefore } from "./dpor/happens-before.ts";
import { logOrders } from "./linear-extensions.ts";

/** Walks whose class is looked at; after so many only one in sixteen, because telling an execution costs time. */
const lookedAtFirst = 64;
const lookedAtLater = 16;

export class ClassEstimate {
  readonly #order = new HappensBefore();
  #walks = 0;
  /** Something was declared. */
  #declares = false;
  #probes = 0;
  #sum = 0;
  #sumOfSquares = 0;
  /** Some class had too many orders to count: the others would say too little. */
  #tooMany = false;

  /** Wants the next walk told in full. */
  get looks(): boolean {
    if (this.#walks === 0) return true;
    return this.#declares && !this.#tooMany && (this.#walks < lookedAtFirst || this.#walks % lookedAtLater === 0);
  }

  /** Told of a walk that has ended; `log` is the logarithm of one over its probability, `execution` is there if it `looks`. */
  walked(log: number, execution: Execution | null): void {
    this.#walks++;
    if (execution !== null && !this.#declares) {
      this.#declares = execution.steps.some(({ touches }) => touches !== null);
      // What was counted before as orders counted something else.
      if (this.#declares) this.#probes = this.#sum = this.#sumOfSquares = 0;
    }
    if (!this.#declares) this.#add(log);
    else if (execution !== null) this.#look(log, execution);
  }

  get estimate(): Estimate | null {
    if (this.#probes < 2 || this.#tooMany || !Number.isFinite(this.#sumOfSquares)) return null;
    const mean = this.#sum / this.#probes;
    const variance = Math.max(0, this.#sumOfSquares / this.#probes - mean ** 2);
    const error = Math.sqrt(variance / this.#probes) / mean;
    return {
      classes: Math.round(mean),
      of: this.#declares ? "classes" : "orders",
      relativeError: Math.round(error * 1_000) / 1_000,
      probes: this.#probes,
    };
  }

  #look(log: number, { steps }: Execution): void {
    this.#order.read(steps, 0, steps.length);
    const pasts = steps.map((_, place) => this.#order.standing(place).past.slice());
    const orders = logOrders({ sources: steps.map(({ source }) => source), pasts });
    if (orders === null) this.#tooMany = true;
    else this.#add(log - orders);
  }

  #add(log: number): void {
    this.#probes++;
    this.#sum += Math.exp(log);
    this.#sumOfSquares += Math.exp(2 * log);
  }
}
