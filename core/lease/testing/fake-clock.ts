/** A clock port that a test moves by hand. */
import type { LeaseClock } from "../ports.ts";

export type FakeClock = LeaseClock & { advance(ms: number): void; readonly timers: number };

export function fakeClock(): FakeClock {
  let nowMs = 0;
  let timers: { readonly dueMs: number; readonly callback: () => void }[] = [];
  return {
    nowMs: () => nowMs,
    setTimer(ms, callback) {
      // As a platform does: a delay it cannot hold comes at once.
      const timer = { dueMs: nowMs + (ms > 2_147_483_647 ? 1 : ms), callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      nowMs += ms;
      for (const timer of timers.filter(({ dueMs }) => dueMs <= nowMs)) {
        timers = timers.filter((other) => other !== timer);
        timer.callback();
      }
    },
    get timers() {
      return timers.length;
    },
  };
}
