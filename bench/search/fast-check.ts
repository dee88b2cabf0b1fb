/**
 * Programs of the bench under fast-check's scheduler: each step is a task of it, and a flow that has not come to its end
 * when no task is left is a violation. Its scheduler knows no time, so a clock stands beside it: one task fires the timer
 * with the earliest deadline, and may come before any other task that waits.
 */
import fc, { type Scheduler } from "fast-check";
import type { Outside, Program, Step } from "./program.ts";

/** Runs schedules until one violates something; null when `cap` of them did not. */
export async function fastCheckUntilViolation(
  program: Program,
  seed: number,
  cap: number,
  schedulers: fc.Arbitrary<Scheduler> = fc.scheduler(),
): Promise<number | null> {
  let runs = 0;
  const result = await fc.check(
    fc.asyncProperty(schedulers, async (scheduler) => {
      runs++;
      const outside = new ScheduledOutside(scheduler);
      program.start(outside);
      await scheduler.waitIdle();
      return outside.holds();
    }),
    { seed, numRuns: cap, endOnFailure: true },
  );
  return result.failed ? runs : null;
}

class ScheduledOutside implements Outside {
  readonly #scheduler: Scheduler;
  readonly #checks: (() => boolean | string)[] = [];
  readonly #timers: { readonly deadlineMs: number; readonly fire: () => void }[] = [];
  #running = 0;
  #violation: string | null = null;
  #nowMs = 0;
  #ticking = false;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  holds(): boolean {
    if (this.#violation !== null || this.#running > 0) return false;
    return this.#checks.every((holds) => holds() === true);
  }

  actor(name: string, body: (step: Step) => Promise<void>): void {
    this.#running++;
    body(this.port(name)).then(
      () => {
        this.#running--;
      },
      (reason: unknown) => this.violated(String(reason)),
    );
  }

  port(name: string): Step {
    return (label) => this.#scheduler.schedule(Promise.resolve(), `${name}:${label}`);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = { deadlineMs: this.#nowMs + ms, fire: resolve };
      const later = this.#timers.findIndex(({ deadlineMs }) => deadlineMs > timer.deadlineMs);
      this.#timers.splice(later < 0 ? this.#timers.length : later, 0, timer);
      this.#tick();
    });
  }

  nowMs(): number {
    return this.#nowMs;
  }

  violated(what: string): void {
    this.#violation ??= what;
  }

  atEnd(_name: string, holds: () => boolean | string): void {
    this.#checks.push(holds);
  }

  #tick(): void {
    if (this.#ticking || this.#timers.length === 0) return;
    this.#ticking = true;
    void this.#scheduler.schedule(Promise.resolve(), "clock").then(() => {
      this.#ticking = false;
      const timer = this.#timers.shift();
      if (timer !== undefined) {
        this.#nowMs = timer.deadlineMs;
        timer.fire();
      }
      this.#tick();
    });
  }
}
