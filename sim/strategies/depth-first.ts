/**
 * Depth-first enumeration of every order, without reduction: the last choice that has an option left takes its next
 * option, everything behind it starts again at 0. When it ends, every execution within the bounds was run exactly once.
 *
 * Stateless search as in P. Godefroid, Model checking for programming languages using VeriSoft, POPL 1997. Deviations: no
 * persistent or sleep sets (those are in `dpor.ts`), and the depth is that of the execution, which ends by itself.
 *
 * At level jitter the drain after a delivery is measured where nobody arrives in it (option 0, run first). Tick k is
 * ahead of the jobs of round k, and behind the last round the queue is empty, which is level spec; so 1 … length is all
 * there is.
 */
import type { Chooser } from "../execution.ts";
import type { Certificate, Level } from "../result.ts";
import type { Ended, Exhausted, Strategy } from "../strategy.ts";

/** One choice on the current path. */
type Node = { choice: number; count: number; readonly kind: "plain" | "companion"; drain: number };

export class DepthFirst implements Strategy {
  readonly name = "depth-first";
  readonly active = "depth-first";
  readonly detailed = false;
  readonly estimate = null;
  readonly #chooser: PathChooser;
  #orders = 0;
  #started = false;
  #ended = false;
  #mostDeliveries = 0;
  #longestDrain = 0;
  readonly #why: string;

  /** `why` every order counts. */
  constructor(level: Level, fixedTicks: number | null, why = "a delivery touches everything, so every order counts") {
    this.#why = why;
    this.#chooser = new PathChooser(level === "jitter" && fixedTicks === null, fixedTicks);
  }

  next(): Chooser | null {
    if (this.#started && !this.#chooser.advance()) {
      this.#ended = true;
      return null;
    }
    this.#started = true;
    return this.again();
  }

  again(): Chooser {
    this.#chooser.restart();
    return this.#chooser;
  }

  ended(end: Ended): void {
    this.#orders++;
    this.#mostDeliveries = Math.max(this.#mostDeliveries, end.deliveries);
    this.#longestDrain = Math.max(this.#longestDrain, this.#chooser.longestDrain);
    this.#chooser.closeLast();
  }

  get exhausted(): Exhausted | null {
    if (!this.#ended) return null;
    const bounds: Certificate["bounds"] = { deliveries: this.#mostDeliveries };
    if (this.#longestDrain > 0) bounds.jitterTicks = this.#longestDrain;
    return { classes: this.#orders, of: "orders", blocked: 0, bounds, assumes: [this.#why], pairs: [] };
  }
}

class PathChooser implements Chooser {
  readonly measures: boolean;
  readonly #fixedTicks: number | null;
  readonly #path: Node[] = [];
  #depth = 0;
  /** The companion choice whose drain is being measured. */
  #measuring: Node | null = null;
  longestDrain = 0;

  constructor(measures: boolean, fixedTicks: number | null) {
    this.measures = measures;
    this.#fixedTicks = fixedTicks;
    this.longestDrain = fixedTicks ?? 0;
  }

  restart(): void {
    this.#depth = 0;
    this.#measuring = null;
  }

  /** Moves to the next path. False when every path was taken. */
  advance(): boolean {
    const path = this.#path;
    for (;;) {
      const last = path[path.length - 1];
      if (last === undefined) return false;
      const open = last.kind === "companion" && last.choice === 0 && last.drain === 0 ? 1 : last.count;
      last.choice++;
      if (last.choice < open) return true;
      path.pop();
    }
  }

  /** Cuts off what an execution that ended early left of an older path. */
  closeLast(): void {
    this.#path.length = this.#depth;
  }

  delivery(_possible: unknown, count: number): number {
    return this.#take("plain", count).choice;
  }

  companion(_candidates: unknown, count: number): number {
    const node = this.#take("companion", count + 1);
    if (this.#fixedTicks !== null) node.drain = this.#fixedTicks;
    this.#measuring = node.choice === 0 && this.measures ? node : null;
    return node.choice;
  }

  ticks(most: number): number {
    const companion = this.#path[this.#depth - 1];
    const drain = companion !== undefined && companion.drain > 0 ? companion.drain : most;
    return 1 + this.#take("plain", Math.max(1, drain)).choice;
  }

  data(_label: string, count: number): number {
    return this.#take("plain", count).choice;
  }

  fault(_delivery: unknown, kinds: readonly string[]): number {
    return this.#take("plain", kinds.length).choice;
  }

  delivered(): void {}

  drained(ticks: number): void {
    if (this.#measuring !== null) this.#measuring.drain = ticks;
    this.#measuring = null;
    if (ticks > this.longestDrain) this.longestDrain = ticks;
  }

  #take(kind: Node["kind"], count: number): Node {
    const known = this.#path[this.#depth];
    this.#depth++;
    if (known !== undefined) return known;
    const node: Node = { choice: 0, count, kind, drain: 0 };
    this.#path.push(node);
    return node;
  }
}
