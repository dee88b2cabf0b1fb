import type { DeliveryKind, PossibleDelivery } from "../execution.ts";
import type { Touches } from "../scenario.ts";
import type { Family } from "./name-table.ts";

/**
 * One thing that the scheduler places: an I/O completion, a timer, an immediate, an event step, an actor's start. One
 * class for all of them keeps the engine's calls monomorphic; `kind` says which of the fields below are in use.
 */
export class Delivery implements PossibleDelivery {
  readonly kind: DeliveryKind;
  readonly family: Family;
  readonly name: string;
  readonly source: string;
  /** Order of asking; the tie-breaker everywhere. */
  readonly sequence: number;
  /** The delivery in whose drain this one was asked for. */
  readonly askedBy: Delivery | null;

  // I/O: what it resolves with, and what it may do instead.
  produce: (() => unknown) | null = null;
  resolve: Resolve | null = null;
  reject: Resolve | null = null;
  mayFail = false;
  mayHang = false;

  // Timers and immediates.
  callback: ((...args: never[]) => unknown) | null = null;
  args: readonly unknown[] = none;
  delayMs = 0;
  deadlineMs = 0;
  every = false;
  cancelled = false;
  /** Shared by all firings of one timer, so that its handle always knows the armed one. */
  slot: TimerSlot | null = null;
  /** What the callback gets as `this`. */
  handle: object | undefined;
  /** How often in a row this line of timers or immediates has fired without doing anything but re-arming itself. */
  idleFirings = 0;

  // Event steps and actor starts.
  act: (() => unknown) | null = null;
  mayReject = false;
  touches: Touches | null = null;

  constructor(kind: DeliveryKind, family: Family, occurrence: number, sequence: number, askedBy: Delivery | null) {
    this.kind = kind;
    this.family = family;
    this.name = family.nameOf(occurrence);
    this.source = family.source.name;
    this.sequence = sequence;
    this.askedBy = askedBy;
  }
}

export type TimerSlot = { armed: Delivery };

/** Takes any promise's resolve function: a method's parameter is compared both ways, so no T is needed here. */
export type Resolve = { settle(value: unknown): void }["settle"];

const none: readonly unknown[] = [];
