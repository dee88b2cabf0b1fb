/**
 * Keeps what async hooks tell of the promises of one execution that is watched closely: who made each, where, in the
 * drain of which delivery, and on top of which other promise. The wait-for graph is read from it afterwards.
 */
import { executionAsyncId } from "node:async_hooks";
import type { CausalLog, Promised, Reader } from "../causality.ts";
import type { Rejecter, SourceLocation } from "../result.ts";
import { type StackLine, stackLines } from "../stack.ts";
import type { Delivery } from "./delivery.ts";
import { HookReading } from "./hook-reading.ts";
import { callersOf, placeOf } from "./place.ts";

export type Stack = { readonly stack?: string };

/** One promise. */
export class Made implements Promised {
  readonly id: number;
  /** The promise that this one follows (`then`, `await`); or else `parent`. */
  readonly trigger: number;
  /** The promise whose reaction was running. */
  readonly parent: number;
  /** The delivery in whose drain it was made; null: the scenario's body. */
  readonly within: Delivery | null;
  /** The actor or events source on whose behalf, as the chain of continuations tells. */
  readonly flow: string;
  /** It was fulfilled or rejected; one that was resolved with a pending promise is not. */
  resolved = false;
  /** Whoever has settled it, if anybody has. */
  settledBy: Rejecter | null = null;
  readonly #stack: Stack;
  #lines: readonly StackLine[] | null = null;

  constructor(id: number, trigger: number, parent: number, within: Delivery | null, flow: string, stack: Stack) {
    this.id = id;
    this.trigger = trigger;
    this.parent = parent;
    this.within = within;
    this.flow = flow;
    this.#stack = stack;
  }

  /** Innermost first; read only for a result, because to write a stack out costs more than to keep it. */
  get lines(): readonly StackLine[] {
    this.#lines ??= stackLines(this.#stack.stack ?? "").filter(
      ({ text }) => !text.includes("node:internal/async_hooks"),
    );
    return this.#lines;
  }

  get callers(): readonly string[] {
    return callersOf(this.lines);
  }

  get at(): SourceLocation | null {
    return placeOf(this.lines);
  }
}

/** A timer, and where it was armed. */
export class Armed {
  readonly delivery: Delivery;
  readonly parent: number;
  /** The promise that was made last before. */
  readonly after: number;
  readonly #stack: Stack;
  #lines: readonly StackLine[] | null = null;

  constructor(delivery: Delivery, parent: number, after: number, stack: Stack) {
    this.delivery = delivery;
    this.parent = parent;
    this.after = after;
    this.#stack = stack;
  }

  get lines(): readonly StackLine[] {
    this.#lines ??= stackLines(this.#stack.stack ?? "");
    return this.#lines;
  }
}

/** Of one execution. */
const promisesKept = 20_000;
const timersKept = 5_000;
const framesKept = 40;

export class PromiseLog implements CausalLog {
  /** Wanted for the next execution. */
  wanted = false;
  on = false;
  /** More promises were made than are kept. */
  overflown = false;
  current: Delivery | null = null;
  /** The flow to which whatever runs outside of any promise's reaction belongs. */
  base = "";
  readonly made = new Map<number, Made>();
  readonly timers: Armed[] = [];
  readonly hung = new Set<Delivery>();
  /** Promises that the world gave out. */
  readonly asked = new Map<number, Delivery>();
  #flows = new Map<number, string>();
  #deliveries = new WeakMap<Delivery, string>();
  #last = 0;
  #ids = new WeakMap<object, number>();

  begin(on: boolean): void {
    if (!on && !this.on) return;
    this.on = on;
    this.overflown = false;
    this.current = null;
    this.made.clear();
    this.timers.length = 0;
    this.hung.clear();
    this.asked.clear();
    this.#flows = new Map();
    this.#deliveries = new WeakMap();
    this.#ids = new WeakMap();
  }

  get empty(): boolean {
    return this.made.size === 0;
  }

  get full(): boolean {
    return this.made.size >= promisesKept;
  }

  /** Some resource was made, while that of `parent` was running. */
  resource(id: number, parent: number): void {
    if (this.on) this.#flows.set(id, this.#flows.get(parent) ?? this.base);
  }

  promise(id: number, trigger: number, parent: number, promise: object, stack: Stack): void {
    const flow = this.#flows.get(id) ?? this.base;
    this.made.set(id, new Made(id, trigger, parent, this.current, flow, stack));
    this.#ids.set(promise, id);
    this.#last = id;
  }

  resolved(id: number): void {
    const made = this.made.get(id);
    if (made === undefined) return;
    made.resolved = true;
    const by = this.#flows.get(executionAsyncId()) ?? this.base;
    made.settledBy ??= { by, within: this.current?.name ?? null, at: null, after: null };
  }

  /** What is delivered next: the flow goes on that asked for it. */
  place(delivery: Delivery): void {
    this.current = delivery;
    const begins = delivery.kind === "event" || delivery.kind === "start";
    this.base = begins ? delivery.source : (this.#deliveries.get(delivery) ?? delivery.source);
  }

  ask(delivery: Delivery): void {
    const parent = executionAsyncId();
    this.#deliveries.set(delivery, this.#flows.get(parent) ?? this.base);
    if (delivery.kind !== "io") {
      if (this.timers.length < timersKept) this.timers.push(new Armed(delivery, parent, this.#last, stackBelow()));
    }
  }

  /** The world gives out a promise for a delivery. */
  give(promise: object, delivery: Delivery): void {
    const id = this.#ids.get(promise);
    if (id !== undefined) this.asked.set(id, delivery);
  }

  read<T>(open: ReadonlySet<string>, by: Reader<T>): T {
    return by.read(new HookReading(this, open));
  }

  rejecterOf(promise: object): Rejecter | null {
    return this.of(promise)?.settledBy ?? null;
  }

  of(promise: object): Made | null {
    return this.made.get(this.#ids.get(promise) ?? Number.NaN) ?? null;
  }
}

/** The stack, without the frames down to that of `above`. */
export function stackBelow(above?: (...args: never[]) => unknown): Stack {
  const holder: Stack = {};
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = framesKept;
  Error.captureStackTrace(holder, above);
  Error.stackTraceLimit = limit;
  return holder;
}
