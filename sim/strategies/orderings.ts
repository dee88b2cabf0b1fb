/**
 * Ordering sampling: each execution draws one to three orderings over deliveries that earlier executions had, and runs
 * the first-come schedule with them. That is the encoding in which failures are shrunk and replayed, so what is found is
 * already small; and one ordering may hold a delivery back through a chain of any length.
 *
 * The idea is that of active testing by race pairs (K. Sen, Race directed random testing of concurrent programs, PLDI
 * 2008), with orderings of names instead of pairs of program locations. Deviations and limits: pairs that conflict by
 * their declared touches are preferred, by drawing again a few times; three in four reverse the order in which their
 * deliveries last ran; of one source only deliveries of different families are paired, because steps of one source
 * never change places. Data and faults are drawn in half of the executions. At level jitter one delivery may also be
 * late.
 */
import { conflictDeclared } from "../dependence.ts";
import type { Chooser, PossibleDelivery } from "../execution.ts";
import { Random, type StreamSeed } from "../random.ts";
import type { Fault, Level, Ordering } from "../result.ts";
import type { Touches } from "../scenario.ts";
import { ScheduleChooser } from "../schedule.ts";
import type { Strategy } from "../strategy.ts";

const orderingsMost = 3;
/** Draws of a pair before one that does not conflict is taken. */
const attempts = 8;
/** A program that gives its deliveries ever new names must not fill the memory. */
const namesMost = 10_000;
const rareness = 4;

export class Orderings implements Strategy {
  readonly name = "orderings";
  readonly active = "orderings";
  readonly detailed = false;
  readonly exhausted = null;
  readonly estimate = null;
  readonly #random: Random;
  readonly #level: Level;
  readonly #known: Known[] = [];
  readonly #byName = new Map<string, Known>();
  #chooser: OrderingChooser | null = null;

  constructor(seed: StreamSeed, level: Level) {
    this.#random = new Random(seed);
    this.#level = level;
  }

  /** What the last execution was drawn to follow. */
  get orderings(): readonly Ordering[] {
    return this.#chooser?.orderings ?? [];
  }

  next(index: number): Chooser {
    return this.again(index);
  }

  again(index: number): Chooser {
    this.#random.restart(index);
    this.#chooser = new OrderingChooser(this.#random, this.#drawOrderings(), this.#drawLate());
    return this.#chooser;
  }

  ended(): void {
    const placed = this.#chooser?.placed ?? [];
    for (const [place, delivery] of placed.entries()) this.#learn(delivery, place);
  }

  #learn({ name, source, family, kind, touches }: PossibleDelivery, place: number): void {
    const known = this.#byName.get(name);
    if (known !== undefined) {
      known.place = place;
      return;
    }
    if (this.#known.length >= namesMost) return;
    const isStep = kind === "event" || kind === "start";
    const waits = kind === "timer" || kind === "immediate";
    const learnt: Known = { name, source, family: family.id, touches, isStep, waits, place };
    this.#known.push(learnt);
    this.#byName.set(name, learnt);
  }

  #drawOrderings(): readonly Ordering[] {
    const orderings: Ordering[] = [];
    if (this.#known.length < 2) return orderings;
    for (let count = 1 + this.#random.below(orderingsMost); count > 0; count--) {
      const pair = this.#drawPair();
      if (pair !== null) orderings.push(pair);
    }
    return orderings;
  }

  #drawPair(): Ordering | null {
    const random = this.#random;
    let pair: Ordering | null = null;
    for (let attempt = 0; attempt < attempts; attempt++) {
      const one = this.#known[random.below(this.#known.length)];
      const other = this.#known[random.below(this.#known.length)];
      if (one === undefined || other === undefined || !mayChangePlaces(one, other)) continue;
      const reverses = random.below(rareness) > 0;
      const [first, then] = one.place > other.place === reverses ? [one, other] : [other, one];
      pair = { first: first.name, then: then.name };
      if (conflictDeclared(one, other)) return pair;
    }
    return pair;
  }

  #drawLate(): readonly Fault[] {
    if (this.#level !== "jitter" || this.#known.length === 0 || this.#random.below(2) === 0) return [];
    const late = this.#known[this.#random.below(this.#known.length)];
    return late === undefined || late.waits ? [] : [{ at: late.name, kind: "late" }];
  }
}

/** A delivery that some execution had. */
type Known = {
  readonly name: string;
  readonly source: string;
  readonly family: number;
  readonly touches: Touches | null;
  readonly isStep: boolean;
  /** Arrives on an empty microtask queue only. */
  readonly waits: boolean;
  /** Where it ran in the last execution that had it. */
  place: number;
};

function mayChangePlaces(one: Known, other: Known): boolean {
  if (one === other) return false;
  return one.source !== other.source || (one.family !== other.family && !(one.isStep && other.isStep));
}

class OrderingChooser extends ScheduleChooser {
  readonly #random: Random;
  readonly #draws: boolean;
  readonly orderings: readonly Ordering[];
  readonly placed: PossibleDelivery[] = [];

  constructor(random: Random, orderings: readonly Ordering[], faults: readonly Fault[]) {
    super({ orderings, faults, data: [] });
    this.orderings = orderings;
    this.#random = random;
    this.#draws = random.below(2) === 0;
  }

  override delivered(delivery: PossibleDelivery): void {
    super.delivered(delivery);
    this.placed.push(delivery);
  }

  override ticks(most: number, companion: PossibleDelivery): number {
    super.ticks(most, companion);
    return 1 + this.#random.below(Math.max(1, most));
  }

  override data(_label: string, count: number): number {
    return this.#draws ? this.#random.below(count) : 0;
  }

  override fault(_delivery: PossibleDelivery, kinds: readonly string[]): number {
    return this.#draws && this.#random.below(rareness) === 0 ? this.#random.below(kinds.length) : 0;
  }
}
