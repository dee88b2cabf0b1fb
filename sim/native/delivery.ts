import type { DeliveryKind, PossibleDelivery } from "../execution.ts";
import type { Context } from "../jobs.ts";
import type { Touches } from "../scenario.ts";
import type { Family } from "./name-table.ts";
import type { Observed } from "./observed.ts";

/**
 * One thing that the scheduler places: an I/O completion, a timer, an immediate, an event step, an actor's start; at level
 * free a job, too. One class for all of them keeps the engine's calls monomorphic; `kind` says which of the fields below are in use.
 */
export class Delivery implements PossibleDelivery {
  readonly kind: DeliveryKind;
  readonly family: Family;
  readonly name: string;
  /** Order of asking; the tie-breaker everywhere. */
  readonly sequence: number;
  /** The delivery in whose drain this one was asked for. */
  readonly askedBy: Delivery | null;

  /** Of whoever asked for it. */
  context: Context = null;

  // Jobs, at level free: the delivery whose drain it belongs to.
  within: Delivery | null = null;

  // I/O: what it resolves with, and what it may do instead.
  produce: (() => unknown) | null = null;
  resolve: Resolve | null = null;
  reject: Resolve | null = null;
  mayFail = false;
  mayHang = false;

  // Timers and immediates.
  timer: Timer | null = null;
  deadlineMs = 0;
  /** How often in a row this line of timers or immediates has fired without doing anything but re-arming itself. */
  idleFirings = 0;

  // Event steps and actor starts.
  act: (() => unknown) | null = null;
  mayReject = false;
  /** Declared: all that the delivery and its drain touch of the code under test. */
  touches: Touches | null = null;
  /** Seen, where the execution is told in full. */
  observed: Observed | null = null;

  constructor(kind: DeliveryKind, family: Family, occurrence: number, sequence: number, askedBy: Delivery | null) {
    this.kind = kind;
    this.family = family;
    this.name = family.nameOf(occurrence);
    this.sequence = sequence;
    this.askedBy = askedBy;
  }

  get source(): string {
    return this.family.source.name;
  }
}

/** What setTimeout, setInterval or setImmediate was given; all firings of one timer share it. */
export class Timer {
  readonly callback: (...args: never[]) => unknown;
  readonly args: readonly unknown[];
  readonly delayMs: number;
  readonly every: boolean;
  /** What was given back for it; the callback gets it as `this`. */
  handle: object | undefined;
  /** The firing that is due, or the last one. */
  armed: Delivery | null = null;
  cancelled = false;

  constructor(callback: (...args: never[]) => unknown, args: readonly unknown[], delayMs: number, every: boolean) {
    this.callback = callback;
    this.args = args;
    this.delayMs = delayMs;
    this.every = every;
  }
}

/** Takes any promise's resolve function: a method's parameter is compared both ways, so no T is needed here. */
export type Resolve = { settle(value: unknown): void }["settle"];
