/**
 * The default: the first-come schedule, then the placement sweep within a quarter of the budget, then random walks; as
 * soon as their estimate says that all orders fit into what is left, depth-first to the end.
 */
import type { Chooser } from "../execution.ts";
import type { StreamSeed } from "../random.ts";
import type { Certificate, Estimate, Level } from "../result.ts";
import type { Ended, Strategy } from "../strategy.ts";
import { DepthFirst } from "./depth-first.ts";
import { Placement } from "./placement.ts";
import { RandomWalk } from "./random.ts";

/** Random walks before the estimate is believed. */
const probes = 32;

export class Portfolio implements Strategy {
  readonly name = "portfolio";
  readonly #placement: Placement;
  readonly #random: RandomWalk;
  readonly #depthFirst: DepthFirst;
  readonly #executions: number;
  #current: Strategy;
  #used = 0;
  #walks = 0;

  constructor(seed: StreamSeed, level: Level, jitterTicks: number | null, executions: number) {
    this.#placement = new Placement(seed, level);
    this.#random = new RandomWalk(seed, level);
    this.#depthFirst = new DepthFirst(level, jitterTicks);
    this.#executions = executions;
    this.#current = this.#placement;
  }

  get detailed(): boolean {
    return this.#current.detailed;
  }

  get exhausted(): { orders: number; bounds: Certificate["bounds"] } | null {
    return this.#depthFirst.exhausted;
  }

  get estimate(): Estimate | null {
    return this.#random.estimate;
  }

  next(index: number): Chooser | null {
    this.#used++;
    this.#current = this.#choose();
    if (this.#current === this.#random) this.#walks++;
    return this.#current.next(index);
  }

  again(index: number): Chooser {
    return this.#current.again(index);
  }

  ended(end: Ended): void {
    this.#current.ended(end);
  }

  #choose(): Strategy {
    if (this.#current === this.#depthFirst) return this.#depthFirst;
    if (this.#used <= Math.max(1, Math.floor(this.#executions / 4)) && this.#placement.sweeping) return this.#placement;
    if (this.#walks < probes) return this.#random;
    const estimate = this.#random.estimate;
    const left = this.#executions - this.#used;
    if (estimate !== null && estimate.classes * (1 + 2 * estimate.relativeError) <= left) return this.#depthFirst;
    return this.#random;
  }
}
