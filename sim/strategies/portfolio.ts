/**
 * The default: several strategies in turn, because each is blind somewhere. The random walk never makes one source wait
 * through a long chain, starvation never interleaves finely, selective walks need counts that only executions give.
 *
 * First each source is starved once. Then the nearest placements, selective, random and uniform walks take turns. The
 * random walks say how many classes there are: as soon as those fit into what is left of the budget, source-DPOR runs
 * them all, and there is a certificate. Otherwise all of them take turns to the end: placements within a quarter of the
 * budget, orders of races that were not seen yet, sampled orderings, priorities every tenth execution, and partial order
 * sampling where many pairs are independent. Walks learn their counts from all executions, whoever placed them.
 *
 * At level jitter nobody knows how many orders there are: after the placements depth-first gets half of what is left.
 *
 * Searches that differ and share a budget: G. Holzmann, R. Joshi, A. Groce, Swarm verification techniques, TSE 2011.
 * Deviations: they take turns in one process and learn from each other's executions; the exhaustive one comes only when it
 * is expected to come to an end. The sweep of placements has no run of turns to itself at the start: it finds nothing in
 * the first hundreds of executions of a program in which much may be moved.
 */
import type { Chooser } from "../execution.ts";
import type { Estimate, StrategyName } from "../result.ts";
import type { Ended, Exhausted, Strategy } from "../strategy.ts";
import { DepthFirst } from "./depth-first.ts";
import { Dpor } from "./dpor.ts";
import type { StrategyContext } from "./named.ts";
import { Orderings } from "./orderings.ts";
import { pct } from "./pct.ts";
import { Placement } from "./placement.ts";
import { pos } from "./pos.ts";
import { RandomWalk } from "./random.ts";
import { type Sampling, SamplingChooser } from "./sampling.ts";
import { Starve } from "./starve.ts";
import { surw } from "./surw.ts";
import { TeachingChooser } from "./teaching.ts";
import { UnseenOrders } from "./unseen-orders.ts";
import { urw } from "./urw.ts";

/** Sources are starved first in so many executions at most. */
const starvedFirst = 24;
/** Rare classes carry much of the estimate, and few walks meet none of them: it is rather too low than too high. */
const skew = 4;
/** Random walks after which their estimate is believed for the first time; after twice as many again, and so on. */
const probesFirst = 12;

type Turn = "walk" | "surw" | "urw" | "unseen" | "orderings" | "placement" | "pct" | "starve" | "few";
const opening: readonly Turn[] = ["placement", "surw", "walk", "urw"];
/** At level jitter the sweep places arrivals in drains as well. */
const arrivals: readonly Turn[] = ["placement", "placement", "placement", "surw"];
const afterwards: readonly Turn[] = [
  ...(["surw", "unseen", "walk", "urw", "placement"] as const),
  ...(["surw", "starve", "orderings", "few", "pct"] as const),
];

export class Portfolio implements Strategy {
  readonly name = "portfolio";
  readonly #context: StrategyContext;
  readonly #starve: Starve;
  readonly #placement: Placement;
  readonly #walk: RandomWalk;
  readonly #exhaustive: Strategy;
  readonly #surw: Sampling;
  readonly #urw: Sampling;
  readonly #pos: Strategy;
  readonly #pct: Strategy;
  readonly #orderings: Orderings;
  readonly #unseen: UnseenOrders;
  readonly #teaching: TeachingChooser;
  #current: Strategy;
  #used = 0;
  #placed = 0;
  #walks = 0;
  #probesDue = probesFirst;
  #turn = 0;
  /** The execution after which the exhaustive search has had its chance; null: it has not begun. */
  #trialEnds: number | null = null;

  constructor(context: StrategyContext) {
    const { seed, level, jitterTicks, coverage } = context;
    this.#context = context;
    this.#starve = new Starve(seed);
    this.#placement = new Placement(seed, level);
    this.#walk = new RandomWalk(seed, level);
    this.#exhaustive = level === "jitter" ? new DepthFirst(level, jitterTicks) : new Dpor();
    this.#surw = surw(seed);
    this.#urw = urw(seed);
    this.#pos = pos(seed);
    this.#pct = pct(seed);
    this.#orderings = new Orderings(seed, level);
    this.#unseen = new UnseenOrders(seed, coverage, urw(seed).chooser);
    this.#teaching = new TeachingChooser(new SamplingChooser(seed), [this.#surw.chooser, this.#urw.chooser]);
    this.#current = this.#starve;
  }

  get active(): StrategyName {
    return this.#current.active;
  }

  get detailed(): boolean {
    return this.#current.detailed;
  }

  get exhausted(): Exhausted | null {
    return this.#exhaustive.exhausted;
  }

  get estimate(): Estimate | null {
    return this.#walk.estimate;
  }

  next(index: number): Chooser | null {
    this.#used++;
    this.#current = this.#choose();
    const chooser = this.#current.next(index);
    if (chooser !== null) return this.#teaching.begin(chooser, index);
    // Whoever has nothing left leaves the turn to the selective walk; only an exhausted search ends the campaign.
    if (this.#current === this.#exhaustive) return null;
    this.#current = this.#surw;
    return this.#teaching.begin(this.#surw.next(index), index);
  }

  again(index: number): Chooser {
    return this.#teaching.begin(this.#current.again(index), index);
  }

  ended(end: Ended): void {
    this.#current.ended(end);
    this.#teaching.end();
  }

  #choose(): Strategy {
    if (this.#trialEnds !== null && this.#used <= this.#trialEnds) return this.#exhaustive;
    if (this.#used <= starvedFirst && this.#starve.heldFrom === 0) return this.#starve;
    if (this.#mayTry()) {
      this.#trialEnds = this.#trial();
      if (this.#trialEnds !== null) return this.#exhaustive;
    }
    const turns = this.#turns();
    return this.#take(turns[this.#turn++ % turns.length]);
  }

  #turns(): readonly Turn[] {
    if (this.#context.level === "jitter") return this.#trialEnds === null ? arrivals : afterwards;
    return this.#walks < 2 * probesFirst ? opening : afterwards;
  }

  /** Whether to ask again if the exhaustive search would come to an end; it gets one chance. */
  #mayTry(): boolean {
    if (this.#trialEnds !== null) return false;
    if (this.#context.level === "jitter") return !this.#placesOn();
    if (this.#walks < this.#probesDue) return false;
    this.#probesDue *= 2;
    return true;
  }

  /** Until when the exhaustive search may run; null: it would not come to an end. */
  #trial(): number | null {
    const left = this.#context.executions - this.#used;
    if (this.#context.level === "jitter") return this.#used + Math.floor(left / 2);
    const { estimate } = this.#walk;
    if (estimate === null) return null;
    return skew * estimate.classes * (1 + 2 * estimate.relativeError) <= left ? this.#context.executions : null;
  }

  #placesOn(): boolean {
    return this.#placed * 4 < this.#context.executions && this.#placement.sweeping;
  }

  #take(turn: Turn | undefined): Strategy {
    switch (turn) {
      case "walk":
        this.#walks++;
        return this.#walk;
      case "urw":
        return this.#urw;
      case "unseen":
        return this.#unseen;
      case "orderings":
        return this.#orderings;
      case "starve":
        return this.#starve;
      case "pct":
        return this.#pct;
      case "few":
        return this.#context.coverage.fewConflict ? this.#pos : this.#urw;
      case "placement":
        if (!this.#placesOn()) return this.#orderings;
        this.#placed++;
        return this.#placement;
      default:
        return this.#surw;
    }
  }
}
