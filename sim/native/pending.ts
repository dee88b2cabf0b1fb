/**
 * What could be delivered, and in which order the first-come schedule would do it: I/O and delays oldest first, then
 * timers by (deadline, number), and the next step of an actor or events source only when neither is left; among those,
 * in order of declaration.
 */
import type { Delivery } from "./delivery.ts";

/** The steps of one `events` source, or the single start of an actor. */
export type Steps = { readonly deliveries: readonly Delivery[]; next: number };

export class Pending {
  /** I/O completions and delays, in order of asking. */
  readonly io: Delivery[] = [];
  readonly immediates: Delivery[] = [];
  /** Sorted by (deadline, sequence). */
  readonly timers: Delivery[] = [];
  readonly steps: Steps[] = [];
  /** The possible deliveries of the current choice point; `fill` writes it, entries past its count are old. */
  readonly possible: Delivery[] = [];

  clear(): void {
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
    let count = 0;
    // Immediates run in order, in the phase right after the current one; only their head is possible.
    const immediate = this.immediates[0];
    if (immediate !== undefined) possible[count++] = immediate;
    for (const delivery of this.io) possible[count++] = delivery;
    if (this.io.length === 0 || overtakes > 0) count = this.#fillTimers(count, immediate === undefined, nowMs);
    for (const steps of this.steps) {
      const step = steps.deliveries[steps.next];
      if (step !== undefined) possible[count++] = step;
    }
    return count;
  }

  /** Writes what may arrive inside a drain: I/O and event steps, never timers or immediates. */
  fillCompanions(into: Delivery[]): number {
    let count = 0;
    for (const delivery of this.io) into[count++] = delivery;
    for (const steps of this.steps) {
      const step = steps.deliveries[steps.next];
      if (step !== undefined) into[count++] = step;
    }
    return count;
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

  /** True when nothing can be delivered but timers that only re-arm themselves. */
  quiet(): boolean {
    if (this.io.length > 0 || this.immediates.length > 0) return false;
    for (const steps of this.steps) if (steps.next < steps.deliveries.length) return false;
    for (const timer of this.timers) if (timer.idleFirings < 2) return false;
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

  /**
   * The timers with the earliest deadline: a timer may be late, never early. Of several with the same deadline and the
   * same duration only the oldest is possible, because every engine fires those in order of creation.
   */
  #fillTimers(count: number, noImmediate: boolean, nowMs: number): number {
    const { timers, possible } = this;
    const earliest = timers[0];
    if (earliest === undefined) return count;
    // The check phase comes before time can pass, so a waiting immediate keeps the clock where it is.
    if (!noImmediate && earliest.deadlineMs > nowMs) return count;
    const firstTimer = count;
    for (const timer of timers) {
      if (timer.deadlineMs !== earliest.deadlineMs) break;
      let elderFirst = false;
      for (let index = firstTimer; index < count; index++) {
        if (possible[index]?.delayMs === timer.delayMs) elderFirst = true;
      }
      if (!elderFirst) possible[count++] = timer;
    }
    return count;
  }
}

function removeFrom(list: Delivery[], delivery: Delivery): void {
  const at = list.indexOf(delivery);
  if (at >= 0) list.splice(at, 1);
}
