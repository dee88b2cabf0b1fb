/** What the host needs from outside: somebody who approves, and time. */

export type LeasePorts = {
  /** Asks the user once per call that needs it. Everything but `true` is a no: `false`, a throw, a rejection. */
  approve(call: string): Promise<boolean>;
  /** The platform's own timers, unless given. */
  readonly clock?: LeaseClock;
};

export type LeaseClock = {
  nowMs(): number;
  /** Calls back once, late or on time, and returns what takes the timer back; taking back a timer that came does nothing. */
  setTimer(ms: number, callback: () => void): () => void;
};

/** A delay that every platform's setTimeout takes; one above 2^31 - 1 ms would fire at once. */
export const longestTimerMs = 2_000_000_000;

/**
 * The platform's clock. The globals are looked up at every use, so a simulator or fake timers that replace them later
 * are obeyed. Monotonic, because a corrected wall clock must not expire everybody who waits.
 */
export const platformClock: LeaseClock = {
  nowMs: () => performance.now(),
  setTimer(ms, callback) {
    const timer = setTimeout(callback, ms);
    // Where timers are objects. A lease that nobody else waits for must not keep the process alive.
    timer.unref?.();
    return () => clearTimeout(timer);
  },
};
