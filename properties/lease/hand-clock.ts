/**
 * Time that moves only when somebody says so. A timer that is due comes in a delivery of its own, which may be as late as
 * on a machine that is busy: what comes in between is a matter of the schedule.
 */
import type { LeaseClock } from "../../core/lease/ports.ts";
import type { World } from "../../sim/scenario.ts";

type Timer = { readonly dueMs: number; readonly callback: () => void };

export const tickLabel = "clock:tick";

export class HandClock implements LeaseClock {
  readonly #world: World;
  readonly #woken: (atMs: number) => void;
  readonly #timers = new Set<Timer>();
  #nowMs = 0;
  #ticks = false;
  #runs = false;

  constructor(world: World, woken: (atMs: number) => void) {
    this.#world = world;
    this.#woken = woken;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  setTimer(ms: number, callback: () => void): () => void {
    const timer: Timer = { dueMs: this.#nowMs + ms, callback };
    this.#timers.add(timer);
    this.#look();
    return () => this.#timers.delete(timer);
  }

  pass(ms: number): void {
    this.#nowMs += ms;
    this.#look();
  }

  /** From now on time passes by itself, from one timer to the next. */
  run(): void {
    this.#runs = true;
    this.#look();
  }

  /** When the first timer comes; null without any. */
  untilMs(): number | null {
    const times = [...this.#timers].map(({ dueMs }) => dueMs);
    return times.length === 0 ? null : Math.min(...times);
  }

  #look(): void {
    const untilMs = this.untilMs();
    if (this.#ticks || untilMs === null) return;
    if (!this.#runs && untilMs > this.#nowMs) return;
    this.#ticks = true;
    void this.#world.io(tickLabel, () => this.#tick());
  }

  #tick(): void {
    this.#ticks = false;
    if (this.#runs) this.#nowMs = Math.max(this.#nowMs, this.untilMs() ?? 0);
    for (const timer of [...this.#timers]) {
      // One that was taken back meanwhile does not come any more.
      if (timer.dueMs > this.#nowMs || !this.#timers.delete(timer)) continue;
      this.#woken(this.#nowMs);
      timer.callback();
    }
    this.#look();
  }
}
