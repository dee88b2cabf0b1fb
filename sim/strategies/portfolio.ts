/**
 * The default: the first-come schedule, then the placement sweep within a quarter of the budget, then random walks; as
 * soon as their estimate says that all orders fit into what is left, depth-first to the end. At level jitter there is no
 * estimate, so depth-first gets half of what is left, and random walks the rest.
 */
import type { Chooser } from "../execution.ts";
import type { StreamSeed } from "../random.ts";
import type { Certificate, Estimate, Level, StrategyName } from "../result.ts";
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
  readonly #level: Level;
  /** Level jitter: the execution after which depth-first has had its chance. */
  #trialEnds: number | null = null;
  #current: Strategy;
  #used = 0;
  #walks = 0;

  constructor(seed: StreamSeed, level: Level, jitterTicks: number | null, executions: number) {
    this.#placement = new Placement(seed, level);
    this.#random = new RandomWalk(seed, level);
    this.#depthFirst = new DepthFirst(level, jitterTicks);
    this.#executions = executions;
    this.#level = level;
    this.#current = this.#placement;
  }

  get active(): StrategyName {
    return this.#current.active;
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
    if (this.#current === this.#depthFirst && (this.#trialEnds === null || this.#used <= this.#trialEnds)) {
      return this.#depthFirst;
    }
    if (this.#used <= Math.max(1, Math.floor(this.#executions / 4)) && this.#placement.sweeping) return this.#placement;
    if (this.#walks < probes) return this.#random;
    if (this.#fits()) return this.#depthFirst;
    return this.#random;
  }

  /** True when every order is likely to fit into what is left of the budget. */
  #fits(): boolean {
    const left = this.#executions - this.#used;
    const { estimate } = this.#random;
    if (estimate !== null) return estimate.classes * (1 + 2 * estimate.relativeError) <= left;
    // At level jitter nobody knows how many there are; half of what is left shows it.
    if (this.#level !== "jitter") return false;
    this.#trialEnds ??= this.#used + Math.floor(left / 2);
    return this.#used <= this.#trialEnds;
  }
}
