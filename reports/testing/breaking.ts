/** Small scenarios that break in every way there is: a service that answers a request, and a user who stops it. */

import type { ViolationKind } from "../../sim/result.ts";
import { type Scenario, scenario } from "../../sim/scenario.ts";

/**
 * `bug`: it breaks when the stop comes before the answer. `fragile`: only when the stop comes into the few microtasks
 * after the answer.
 */
export function breaking(kind: ViolationKind, verdict: "bug" | "fragile"): Scenario {
  return scenario(`${kind}, ${verdict}`, { stepLimit: 60 }, (world) => {
    let handing = false;
    let stopped = false;
    let sold = 0;
    const connection = {
      fetch: () => world.io("service:fetch", () => 1),
      poll: () => world.io("service:poll", () => 0),
    };
    const serve = async (): Promise<void> => {
      await connection.fetch();
      handing = true;
      await null;
      await null;
      handing = false;
      if (stopped) await harms[kind]();
    };
    const harms: Readonly<Record<ViolationKind, () => unknown>> = {
      always: () => (sold = -1),
      quiescence: () => (sold = 2),
      error: () => Promise.reject(new Error("the order is gone", { cause: new TypeError("no order 7") })),
      stuck: () => new Promise(() => undefined),
      livelock: async () => {
        for (;;) await null;
      },
      liveness: async () => {
        while ((await connection.poll()) === 0);
      },
    };
    world.actor("shop", serve);
    world.events("user", [
      ["look", () => undefined],
      ["stop", () => (stopped = verdict === "bug" || handing)],
    ]);
    world.always("nothing is owed", () => sold >= 0 || `the stock is at ${sold}`, "Who owes goods pays twice.");
    world.atQuiescence("at most one is sold", () => sold < 2 || `sold ${sold}`);
  });
}
