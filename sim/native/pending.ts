/**
 * What could be delivered, and in which order the first-come schedule would do it: I/O and delays oldest first, then
 * timers by (deadline, number), and the next step of an actor or events source only when neither is left; among those,
 * in order of declaration. Who only re-arms itself (a heartbeat, a polling loop) would keep the steps waiting for
 * ever, so it comes last; and a step that was passed over many times in a row comes first.
 */

import type { Delivery } from "./delivery.ts";
import { emptyList } from "./emptied.ts";

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
  /** Immediates of the current check phase that are still to run. */
  #phaseLeft = 0;
  /** The immediate that comes next belongs to the check phase under way, and begins none. */
  #phaseGoesOn = false;

  clear(): void {
    this.#passedOver = 0;
    this.#phaseLeft = 0;
    emptyList(this.io);
    emptyList(this.immediates);
    emptyList(this.timers);
    emptyList(this.steps);
  }

  /**
   * Writes what is possible now into `possible`, in first-come order, and returns how many there are. A timer may
   * overtake pending I/O only while `overtakes` lasts. `nowMs` is the virtual time.
   */
  fill(overtakes: number, nowMs: number): number {
    const { possible } = this;
    this.#phaseGoesOn = this.#phaseLeft > 0;
    if (this.#phaseLeft > 0) {
      // Node runs the whole queue of a check phase before anything else.
      const next = this.immediates[0];
      if (next !== undefined) possible[0] = next;
      return next === undefined ? 0 : 1;
    }
    const starving = this.#passedOver >= passedOverMost;
    let count = starving ? this.#fillSteps(possible, 0) : 0;
    // Immediates run in order, in the phase right after the current one; only their head is possible.
    const immediate = this.immediates[0];
    const idles = immediate !== undefined && immediate.idleFirings >= idleFrom;
    if (immediate !== undefined && !idles) possible[count++] = immediate;
    // Asked for while I/O was handled, an immediate comes before time can pass and before any I/O that was asked for
    // later; from the body, a timer or another immediate, the loop passes by timers that are due and by I/O first.
    const holds = immediate !== undefined && comesNext(immediate) && immediate.idleFirings < idleMost;
    for (const delivery of this.io) {
      if (!holds || delivery.sequence < immediate.sequence) possible[count++] = delivery;
    }
    const timers = this.io.length === 0 || overtakes > 0;
    // To start a round of the loop may take a millisecond, so a timer of that length may be due before the check phase.
    const roundMs = holds ? nowMs : nowMs + 1;
    const waits = immediate !== undefined && immediate.idleFirings < idleMost;
    const heldMs = waits ? roundMs : Number.POSITIVE_INFINITY;
    if (timers) count = this.#fillTimers(count, heldMs, false);
    if (!starving) count = this.#fillSteps(possible, count);
    if (timers && (count === 0 || !idle(this.timers, idleMost))) count = this.#fillTimers(count, heldMs, true);
    if (idles && (count === 0 || immediate.idleFirings < idleMost)) possible[count++] = immediate;
    return count;
  }

  /** Writes what may arrive inside a drain, from `at` on: I/O and event steps, never timers or immediates. */
  fillCompanions(into: Delivery[], at = 0): number {
    let count = at;
    for (const delivery of this.io) into[count++] = delivery;
    return this.#fillSteps(into, count);
  }

  /** Notes who was delivered, to see which steps are passed over. */
  delivered(delivery: Delivery): void {
    if (delivery.kind === "immediate" && !this.#phaseGoesOn) this.#phaseLeft = this.immediates.length;
    if (delivery.kind === "event" || delivery.kind === "start") this.#passedOver = 0;
    else if (this.#stepsWait()) this.#passedOver++;
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

  /** Takes a delivery out of what is pending, because it is delivered now or was cancelled. False: it was not there. */
  take(delivery: Delivery): boolean {
    switch (delivery.kind) {
      case "io":
        return removeFrom(this.io, delivery);
      case "timer":
        return removeFrom(this.timers, delivery);
      case "immediate": {
        const at = this.immediates.indexOf(delivery);
        if (at >= 0 && at < this.#phaseLeft) this.#phaseLeft--;
        return removeFrom(this.immediates, delivery);
      }
      case "event":
      case "start":
        return this.#pass(delivery);
      case "job":
        return false;
    }
  }

  /** True when some timer or immediate has done nothing but re-arm itself. */
  idles(): boolean {
    for (const timer of this.timers) if (timer.idleFirings >= idleFrom) return true;
    for (const immediate of this.immediates) if (immediate.idleFirings >= idleFrom) return true;
    return false;
  }

  /** True when nothing can be delivered but timers and immediates that only re-arm themselves. */
  quiet(): boolean {
    if (this.io.length > 0 || !idle(this.immediates, idleFrom) || !idle(this.timers, idleFrom)) return false;
    return !this.#stepsWait();
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

  #stepsWait(): boolean {
    for (const { deliveries, next } of this.steps) if (next < deliveries.length) return true;
    return false;
  }

  #pass(step: Delivery): boolean {
    for (const steps of this.steps) {
      if (steps.deliveries[steps.next] !== step) continue;
      steps.next++;
      return true;
    }
    return false;
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
      if (elder.timer?.delayMs === timer.timer?.delayMs) return true;
    }
    return false;
  }
}

function idle(list: readonly Delivery[], firings: number): boolean {
  for (const delivery of list) if (delivery.idleFirings < firings) return false;
  return true;
}

/** Moves the rest up by hand: splice() makes a list of what it takes out. */
function removeFrom(list: Delivery[], delivery: Delivery): boolean {
  let at = list.indexOf(delivery);
  if (at < 0) return false;
  for (let next = list[at + 1]; next !== undefined; next = list[at + 1]) list[at++] = next;
  list.pop();
  return true;
}

/** True when Node's check phase comes before its next look at timers and I/O. */
function comesNext({ askedBy }: Delivery): boolean {
  const kind = askedBy?.kind === "job" ? askedBy.within?.kind : askedBy?.kind;
  return kind === "io" || kind === "event" || kind === "start";
}
