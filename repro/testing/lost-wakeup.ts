import { scenario } from "../../sim/scenario.ts";

/** A wake that comes before anybody waits for it: the consumer then waits for ever. */
export const lostWakeup = scenario("a wake before the wait is lost", (world) => {
  let wake: (() => void) | null = null;
  world.actor("consumer", async () => {
    await world.delay("think");
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  });
  world.actor("producer", async () => {
    await world.io("producer:make", () => null);
    wake?.();
  });
});
