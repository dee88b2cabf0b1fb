/**
 * What could be delivered, and in which order the first-come schedule would do it: I/O and delays oldest first, then
 * timers by (deadline, number), and the next step of an actor or events source only when neither is left; among those,
 * in order of declaration. Who only re-arms itself (a heartbeat, a polling loop) would keep the steps waiting for
 * ever, so it comes last; and a step that was passed over many times in a row comes first.
 */
import type { Delivery } from "./delivery.ts";

/** The steps of one `events` source, or the single start of an actor. */
export type Steps = { readonly deliveries: readonly Delivery[]; next: number };

/** Firings in a row after which a timer or immediate that does nothing but re-arm itself counts as idle. */
const idleFrom = 2;
/** Idle firings in a row after which nobody waits for another one: a loop that counts may end before, one that polls never does. */
const idleMost = 12;
/** Deliveries in a row after which a waiting step is the first-come choice: a loop of I/O may never end without it. */
const passedOverMost = 256;

export class Pending {
  /** I/O completions and delays, in order of asking. */
  readonly io: Delivery[] = [];
  readonly immediates: Delivery[] = [];
  /** Sorted by (deadline, sequence). */
  readonly timers: Delivery[] = [];
  readonly steps: Steps[] = [];
  /** The possible deliveries of the current choice point; `fill` writes it, entries past its count are old. */
  readonly possible: Delivery[] = [];
  /** Deliveries since the last step while one was waiting. */
  #passedOver = 0;

  clear(): void {
    this.#passedOver = 0;
    this.io.length = 0;
    this.immediates.length = 0;
    this.timers.length = 0;
    this.steps.length = 0;
  }

  /**
   * Writes what is possible now into `possible`, in first-come order, and returns how many there are. A timer may
   * overtake pending I/O only while `overtakes` lasts. `nowMs` is the virtual time.
   */
  fill(overtakes: number, nowMs: number): number {
    const { possible } = this;
    const starving = this.#passedOver >= passedOverMost;
    let count = starving ? this.#fillSteps(possible, 0) : 0;
    // Immediates run in order, in the phase right after the current one; only their head is possible.
    const immediate = this.immediates[0];
    const idles = immediate !== undefined && immediate.idleFirings >= idleFrom;
    if (immediate !== undefined && !idles) possible[count++] = immediate;
    for (const delivery of this.io) possible[count++] = delivery;
    const timers = this.io.length === 0 || overtakes > 0;
    // The check phase comes before time can pass; but who keeps asking for itself goes round the loop, and time does.
    const heldMs = immediate === undefined || immediate.idleFirings >= idleMost ? Number.POSITIVE_INFINITY : nowMs;
    if (timers) count = this.#fillTimers(count, heldMs, false);
    if (!starving) count = this.#fillSteps(possible, count);
    if (timers && (count === 0 || !idle(this.timers, idleMost))) count = this.#fillTimers(count, heldMs, true);
    if (idles && (count === 0 || immediate.idleFirings < idleMost)) possible[count++] = immediate;
    return count;
  }

  /** Writes what may arrive inside a drain: I/O and event steps, never timers or immediates. */
  fillCompanions(into: Delivery[]): number {
    let count = 0;
    for (const delivery of this.io) into[count++] = delivery;
    return this.#fillSteps(into, count);
  }

  /** Notes who was delivered, to see which steps are passed over. */
  delivered(delivery: Delivery): void {
    if (delivery.kind === "event" || delivery.kind === "start") this.#passedOver = 0;
    else if (this.steps.some(({ deliveries, next }) => next < deliveries.length)) this.#passedOver++;
  }

  addTimer(timer: Delivery): void {
    const { timers } = this;
    let at = timers.length;
    while (at > 0) {
      const before = timers[at - 1];
      if (before === undefined || before.deadlineMs <= timer.deadlineMs) break;
      at--;
    }
    timers.splice(at, 0, timer);
  }

  /** Takes a delivery out of what is pending, because it is about to be delivered or was cancelled. */
  take(delivery: Delivery): void {
    switch (delivery.kind) {
      case "io":
        removeFrom(this.io, delivery);
        return;
      case "timer":
        removeFrom(this.timers, delivery);
        return;
      case "immediate":
        removeFrom(this.immediates, delivery);
        return;
      case "event":
      case "start":
        for (const steps of this.steps) if (steps.deliveries[steps.next] === delivery) steps.next++;
    }
  }

  /** True when nothing can be delivered but timers and immediates that only re-arm themselves. */
  quiet(): boolean {
    if (this.io.length > 0 || !idle(this.immediates, idleFrom) || !idle(this.timers, idleFrom)) return false;
    for (const steps of this.steps) if (steps.next < steps.deliveries.length) return false;
    return true;
  }

  /** Names of everything that is still open, steps not yet reached included. */
  left(): string[] {
    const names: string[] = [];
    for (const list of [this.immediates, this.io, this.timers]) for (const delivery of list) names.push(delivery.name);
    for (const steps of this.steps) {
      for (const delivery of steps.deliveries.slice(steps.next)) names.push(delivery.name);
    }
    return names;
  }

  #fillSteps(into: Delivery[], count: number): number {
    for (const steps of this.steps) {
      const step = steps.deliveries[steps.next];
      if (step !== undefined) into[count++] = step;
    }
    return count;
  }

  /**
   * The timers with the earliest deadline, either those that are idle or those that are not: a timer may be late, never
   * early. Of several with the same deadline and the same duration only the oldest is possible, because every engine
   * fires those in order of creation. None is possible while the clock is held before the deadline.
   */
  #fillTimers(count: number, heldMs: number, idles: boolean): number {
    const { timers, possible } = this;
    const earliest = timers[0];
    if (earliest === undefined || earliest.deadlineMs > heldMs) return count;
    for (let at = 0; at < timers.length; at++) {
      const timer = timers[at];
      if (timer === undefined || timer.deadlineMs !== earliest.deadlineMs) break;
      if (timer.idleFirings >= idleFrom === idles && !this.#hasElder(timer, at)) possible[count++] = timer;
    }
    return count;
  }

  /** True when a timer of the same deadline and duration comes before the one at `at`. */
  #hasElder(timer: Delivery, at: number): boolean {
    for (let before = at - 1; before >= 0; before--) {
      const elder = this.timers[before];
      if (elder === undefined || elder.deadlineMs !== timer.deadlineMs) return false;
      if (elder.delayMs === timer.delayMs) return true;
    }
    return false;
  }
}

function idle(list: readonly Delivery[], firings: number): boolean {
  for (const delivery of list) if (delivery.idleFirings < firings) return false;
  return true;
}

function removeFrom(list: Delivery[], delivery: Delivery): void {
  const at = list.indexOf(delivery);
  if (at >= 0) list.splice(at, 1);
}
