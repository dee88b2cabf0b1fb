/** Timers and immediates of an execution: each firing is a delivery, asked for when its timer is armed. */
import type { DeliveryKind } from "../execution.ts";
import type { Delivery, Timer } from "./delivery.ts";
import { emptyTable } from "./emptied.ts";
import type { Family } from "./name-table.ts";
import { observing } from "./observing.ts";
import type { Pending } from "./pending.ts";
import type { TimerHost } from "./timers.ts";

/** What timers need of the engine. */
export type TimerEngine = {
  readonly nowMs: number;
  readonly pending: Pending;
  /** False when nothing is delivered any more. */
  readonly delivers: boolean;
  /** The deliveries of this label that come from whoever is running. */
  family(label: string): Family;
  ask(kind: DeliveryKind, family: Family): Delivery;
  /** Told that whoever is running arms a timer or takes one back; with a delivery: that one. */
  touchesTimers(kind: "timer" | "immediate", takenBack: Delivery | null): void;
};

export class ArmedTimers implements TimerHost {
  readonly #engine: TimerEngine;
  readonly numbered = new Map<string, Timer>();

  constructor(engine: TimerEngine) {
    this.#engine = engine;
  }

  reset(): void {
    emptyTable(this.numbered);
  }

  arm(kind: "timer" | "immediate", timer: Timer): Delivery {
    const { pending, delivers } = this.#engine;
    const label = kind === "immediate" ? "immediate" : `${timer.every ? "interval" : "timer"} ${timer.delayMs}`;
    const delivery = this.#due(kind, this.#engine.family(label), timer);
    observing.by?.made(timer);
    this.#engine.touchesTimers(kind, null);
    // After a violation nothing is delivered any more; Node itself asks for an immediate after an uncaught error.
    if (!delivers) timer.cancelled = true;
    else if (kind === "immediate") pending.immediates.push(delivery);
    else pending.addTimer(delivery);
    return delivery;
  }

  disarm(timer: Timer): void {
    // Also where it comes too late: it would have taken the timer back, had it come before.
    observing.by?.touched(timer, true);
    if (timer.cancelled) return;
    timer.cancelled = true;
    if (timer.armed !== null) this.#takeBack(timer.armed);
  }

  /** Puts a timer back at the end of its duration, whether it has fired or not; a cancelled one stays cancelled. */
  rearm(timer: Timer): void {
    const { armed } = timer;
    observing.by?.touched(timer, true);
    if (timer.cancelled || armed === null) return;
    this.#takeBack(armed);
    this.#engine.touchesTimers("timer", null);
    this.#armAgain(timer, armed);
  }

  /** After its callback, as Node does: what that has armed for the same time and duration comes first. */
  fired(timer: Timer, delivery: Delivery): void {
    if (timer.every && !timer.cancelled && timer.armed === delivery) this.#armAgain(timer, delivery);
  }

  #armAgain(timer: Timer, before: Delivery): void {
    this.#engine.pending.addTimer(this.#due("timer", before.family, timer));
  }

  #due(kind: "timer" | "immediate", family: Family, timer: Timer): Delivery {
    const delivery = this.#engine.ask(kind, family);
    delivery.timer = timer;
    delivery.deadlineMs = this.#engine.nowMs + timer.delayMs;
    timer.armed = delivery;
    return delivery;
  }

  #takeBack(delivery: Delivery): void {
    if (!this.#engine.pending.take(delivery)) return;
    delivery.family.open--;
    this.#engine.touchesTimers(delivery.kind === "immediate" ? "immediate" : "timer", delivery);
  }
}
