/**
 * Defect: a lost wake-up. The consumer sees an empty queue and then registers; the producer adds and signals in between,
 * nobody hears, and the consumer waits for ever.
 */
import { type Program, traffic } from "../program.ts";

export const lostWakeup: Program = {
  name: "lostWakeup",
  start(outside) {
    let queued = 0;
    let signals = 0;
    let wake: (() => void) | null = null;
    outside.actor("consumer", async (step) => {
      await step("look", { reads: ["queue"] });
      if (queued > 0) return;
      await step("register", { writes: ["waiter"] });
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      await step("take", { reads: ["signal"] });
    });
    outside.actor("producer", async (step) => {
      await traffic(step, "production", 5);
      await step("add", { writes: ["queue"] });
      queued++;
      await step("signal", { reads: ["waiter"], writes: ["signal", "waiter"] });
      if (wake === null) return;
      signals++;
      wake();
    });
    outside.actor("client", (step) => traffic(step, "client", 10, "request"));
    return () => ({ queued, signals, waiting: wake !== null });
  },
};
