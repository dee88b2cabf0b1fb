/**
 * p-retry waits between its attempts in virtual time, and which attempt fails is explored like an order. Its signal ends
 * the waiting. What an attempt has done that failed afterwards, or was aborted while it was under way, is up to the code
 * around it.
 */
import { scenario } from "microloom";
import pRetry from "p-retry";

export const backoff = scenario("p-retry: attempts after 1, 2 and 4 seconds, and no fifth", (world) => {
  const startedMs: number[] = [];
  let outcome = "open";
  const attempt = () => {
    startedMs.push(world.nowMs);
    return world.io("api:call", () => "answered", { mayFail: true });
  };
  world.actor("client", async () => {
    outcome = await pRetry(attempt, { retries: 3 }).catch(() => "gave up");
  });
  world.always("every attempt comes at its time", () => {
    return [0, 1_000, 3_000, 7_000].join().startsWith(startedMs.join()) || startedMs.join(", ");
  });
  world.sometimes("the last attempt is answered", () => outcome === "answered" && startedMs.length === 4);
  world.sometimes("it gives up", () => outcome === "gave up");
  world.atQuiescence("it is answered, or has tried four times", () => {
    return outcome === "answered" || (outcome === "gave up" && startedMs.length === 4);
  });
});

export const aborted = scenario("p-retry: no attempt after the abort", (world) => {
  const controller = new AbortController();
  let attempts = 0;
  let outcome = "open";
  const attempt = () => {
    attempts++;
    if (controller.signal.aborted) throw new Error("attempted after the abort");
    return world.io("api:call", () => "answered", { mayFail: true });
  };
  world.actor("client", async () => {
    const options = { retries: 2, signal: controller.signal };
    outcome = await pRetry(attempt, options).catch((error: Error) => error.message);
  });
  world.events("user", [["stop", () => controller.abort(new Error("stopped"))]]);
  world.sometimes("stopped while it waits", () => outcome === "stopped" && attempts === 1);
  world.atQuiescence("it has ended in one of three ways", () => {
    return ["answered", "stopped", "api:call#3 was made to fail"].includes(outcome) || outcome;
  });
});

/** An attempt may fail after it has worked: what is retried must be safe to do twice. */
export const chargedTwice = scenario("p-retry: a charge whose receipt was lost is made again", (world) => {
  let charged = 0;
  const charge = async () => {
    await world.io("bank:charge", () => charged++);
    await world.io("bank:receipt", () => undefined, { mayFail: true });
  };
  world.actor("shop", () => pRetry(charge, { retries: 1 }).catch(() => world.note("gave up")));
  world.always("charged at most once", () => charged <= 1 || `charged ${charged} times`);
});

/** An abort does not end the attempt under way, and its answer is thrown away: rejected is not undone. */
export const sentAfterAll = scenario("p-retry: undone, and sent all the same", (world) => {
  const controller = new AbortController();
  let sent = false;
  let shown = "sending";
  const send = () =>
    world.io("smtp:send", () => {
      sent = true;
    });
  world.actor("mail", async () => {
    shown = await pRetry(send, { signal: controller.signal }).then(
      () => "sent",
      () => "not sent",
    );
  });
  world.events("user", [["undo", () => controller.abort(new Error("undone"))]]);
  world.atQuiescence("what is shown is true", () => sent === (shown === "sent") || `it shows: ${shown}`);
});

/** Without a signal the next attempt comes, whatever has happened meanwhile. */
export const retriedAfterClose = scenario("p-retry: the next attempt comes after the close", (world) => {
  let open = true;
  let late = 0;
  const query = (attempt: number) => {
    if (!open && attempt > 1) late++;
    return world.io("database:query", () => "rows", { mayFail: true });
  };
  world.actor("client", () => pRetry(query, { retries: 1 }).catch(() => world.note("gave up")));
  world.events("app", [
    [
      "close",
      () => {
        open = false;
      },
    ],
  ]);
  world.always("nobody comes back to a closed database", () => late === 0);
});
