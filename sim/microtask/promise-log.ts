/**
 * Keeps what the promises of one execution tell of themselves: who made each, where, in the drain of which delivery, who
 * waits for it and who has settled it. The wait-for graph is read from it afterwards.
 */
import type { AskedJob, Reader, TellingLog } from "../causality.ts";
import type { Delivery } from "../native/delivery.ts";
import type { Rejecter } from "../result.ts";
import type { Stack } from "../stack.ts";
import { AsyncCallers } from "./async-callers.ts";
import type { Continuation } from "./continuation.ts";
import type { Job } from "./job.ts";
import { NearestStack } from "./nearest-stack.ts";
import { PromiseEntry, rejecterOf } from "./promise-entry.ts";
import { TellingReading } from "./telling-reading.ts";
import type { Combining, Told } from "./told.ts";

/** Of one execution. */
const promisesKept = 20_000;

/** Who has registered a job, and on whose behalf. */
type Registered = { readonly where: Stack | null; readonly flow: string };
/** Where a continuation stands. */
export type Awaiting = { readonly promise: object | null; readonly where: Error | null };

export type Queue = { running(): Job | null; tell(told: Told | null): void };

export class OwnPromiseLog implements Told, TellingLog {
  wanted = false;
  on = false;
  overflown = false;
  base = "";
  readonly hung = new Set<Delivery>();
  readonly entries = new Map<object, PromiseEntry>();
  /** Where each continuation awaited last. */
  readonly awaited = new Map<Continuation, Awaiting>();
  /** What `then()` returned while a job was running. */
  readonly during = new Map<object, PromiseEntry[]>();
  readonly #queue: Queue;
  #callers = new AsyncCallers();
  #current: Delivery | null = null;
  /** The job in which the last delivery was placed, at a tick of the drain before; null: in none. */
  #placedIn: Job | null = null;
  /** Promises whose executors are running, the innermost last. */
  #executing: PromiseEntry[] = [];
  #registered = new WeakMap<object, Registered>();
  #deliveries = new WeakMap<Delivery, string>();

  constructor(queue: Queue) {
    this.#queue = queue;
  }

  begin(on: boolean): void {
    if (!on && !this.on && this.empty) return;
    this.on = on;
    this.#queue.tell(on ? this : null);
    this.overflown = false;
    this.hung.clear();
    this.entries.clear();
    this.awaited.clear();
    this.during.clear();
    this.#callers = new AsyncCallers();
    this.#current = null;
    this.#placedIn = null;
    this.#executing = [];
    this.#registered = new WeakMap();
    this.#deliveries = new WeakMap();
  }

  get empty(): boolean {
    return this.entries.size === 0;
  }

  place(delivery: Delivery): void {
    this.#current = delivery;
    this.#placedIn = this.#queue.running();
    const begins = delivery.kind === "event" || delivery.kind === "start";
    this.base = begins ? delivery.source : (this.#deliveries.get(delivery) ?? delivery.source);
  }

  goesOn(within: Delivery | null): void {
    this.#current = within;
    this.#placedIn = null;
  }

  ask(delivery: Delivery): void {
    this.#deliveries.set(delivery, this.#flow());
    if (delivery.kind !== "io") for (const made of this.#executing) made.timer ??= delivery;
  }

  give(promise: object, delivery: Delivery): void {
    const made = this.entries.get(promise);
    if (made !== undefined) made.asked = delivery;
  }

  read<T>(open: ReadonlySet<string>, by: Reader<T>): T {
    return by.read(new TellingReading(this, open));
  }

  rejecterOf(promise: object): Rejecter | null {
    const rejecting = this.entries.get(promise)?.rejected ?? null;
    return rejecting === null ? null : rejecterOf(rejecting);
  }

  askedAt(job: Job): AskedJob | null {
    const by = this.#whereOf(job);
    if (by === null) return null;
    return this.#callers.isContinuation(job) ? { by, callers: this.#callers.of(job) } : { by };
  }

  callers(): readonly Stack[] {
    const running = this.#queue.running();
    return running === null || running === this.#placedIn ? [] : this.#callers.of(running);
  }

  made(promise: object, where: Error): void {
    if (this.entries.size >= promisesKept) {
      this.overflown = true;
      return;
    }
    const executor = this.#executing.at(-1) ?? null;
    this.entries.set(promise, new PromiseEntry(this.entries.size, this.#current, this.#flow(), executor, where));
  }

  around(promise: object): void {
    const made = this.entries.get(promise);
    if (made !== undefined) made.around = true;
  }

  handedOut(promise: object, to: "executor" | "caller"): void {
    const made = this.entries.get(promise);
    if (made === undefined) return;
    made.handedOut = true;
    if (to === "executor") this.#executing.push(made);
  }

  executed(promise: object): void {
    const made = this.entries.get(promise);
    // Whoever threw through an executor has not said that it returned.
    if (made !== undefined) this.#executing.length = Math.max(0, this.#executing.lastIndexOf(made));
  }

  awaiting(job: Continuation, promise: object | null, where: Error | null): void {
    this.#register(job, where);
    this.#callers.awaits(job, promise, where);
    const made = promise === null ? undefined : this.entries.get(promise);
    if (made?.around === true) made.awaitedAt = where;
    if (this.awaited.size < promisesKept || this.awaited.has(job)) this.awaited.set(job, { promise, where });
    else this.overflown = true;
  }

  reacting(job: Job, promise: object, derived: object | null): void {
    const made = derived === null ? undefined : this.entries.get(derived);
    this.#register(job, made?.where ?? null);
    if (made === undefined) return;
    made.after = { promise, job };
    if (derived !== null) this.#callers.derives(job, derived);
    for (let executor = made.executor; executor !== null; executor = executor.executor) executor.executed.push(made);
    const running = this.#queue.running();
    if (running === null) return;
    const during = this.during.get(running);
    if (during === undefined) this.during.set(running, [made]);
    else during.push(made);
  }

  combining(how: Combining, result: object, promise: unknown): void {
    const made = this.entries.get(result);
    if (made === undefined) return;
    if (typeof promise === "object" && promise !== null) this.#callers.goesTo(promise, result);
    made.combines ??= { how, promises: [] };
    made.combines.promises.push(promise);
  }

  queued(job: Job, where: Error | null): void {
    const running = this.#queue.running();
    const before = running === null ? null : this.#whereOf(running);
    this.#register(job, where === null || before === null ? (where ?? before) : new NearestStack(where, before));
  }

  following(promise: object, followed: object): void {
    const made = this.entries.get(promise);
    if (made === undefined) return;
    made.follows = followed;
    this.#callers.goesTo(followed, promise);
  }

  settled(promise: object, how: "fulfilled" | "rejected"): void {
    const made = this.entries.get(promise);
    if (made === undefined) return;
    made.settled = true;
    if (how !== "rejected") return;
    const running = this.#queue.running();
    const after = running === null ? null : this.#whereOf(running);
    made.rejected = { by: this.#flow(), within: this.#current?.name ?? null, where: new Error("rejected here"), after };
  }

  #whereOf(job: Job): Stack | null {
    return this.#registered.get(job)?.where ?? null;
  }

  #register(job: Job, where: Stack | null): void {
    this.#registered.set(job, { where, flow: this.#flow() });
  }

  /** The flow of what is running now. */
  #flow(): string {
    const running = this.#queue.running();
    if (running === null || running === this.#placedIn) return this.base;
    return this.#registered.get(running)?.flow ?? this.base;
  }
}
