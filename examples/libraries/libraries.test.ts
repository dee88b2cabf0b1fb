/**
 * Can microloom drive your dependencies? Here are seven, as they come from the registry. Depth-first runs every order
 * once: what holds comes with a certificate, what breaks with the one or two facts that break it.
 */
import { LRUCache } from "lru-cache";
import { explore, type Level, type Repro, replay, type Scenario, scenario } from "microloom";
import { describe, expect, test } from "vitest";
import * as asyncMutex from "./async-mutex.scenario.ts";
import * as genericPool from "./generic-pool.scenario.ts";
import * as lruCache from "./lru-cache.scenario.ts";
import * as pLimit from "./p-limit.scenario.ts";
import * as pQueue from "./p-queue.scenario.ts";
import * as pRetry from "./p-retry.scenario.ts";
import * as rxjs from "./rxjs.scenario.ts";

const everyOrder = { strategy: "depth-first", executions: 10_000 } as const;

describe("p-limit", () => {
  holds(pLimit.limitHolds);
  holds(pLimit.limitOfOne);
  breaks(pLimit.limitOfTwo, "both were withdrawn", ["bank:read for 20#1 before bank:write for 10#1"]);
  breaks(pLimit.clearedTasksHang, "album", ["user:cancel#1 before disk:resize a#1"]);
  breaks(pLimit.nestedTasksBlock, "ada", ["bob:start#1 before site:home#1"]);
});

describe("p-queue", () => {
  holds(pQueue.priorities);
  holds(pQueue.cleared);
  holds(pQueue.strictLimit);
  breaks(pQueue.burst, "a second lies between two starts", ["api:c#1 before ada:start#1"]);
  breaks(pQueue.emptyIsNotIdle, "import:start#1", ["database:close#1 before database:insert c#1"]);
  breaks(pQueue.timedOutTasksRun, "one page at a time", ["office:timer 1000#1 before printer:a#1"]);
});

describe("async-mutex", () => {
  holds(asyncMutex.exclusive);
  holds(asyncMutex.weights);
  holds(asyncMutex.timeout);
  breaks(asyncMutex.forgotten, "both were counted", ["bank:read by interest#1 before bank:write by ada#1"]);
  breaks(asyncMutex.releasedTwice, "all were counted", [
    "bob:start#1 before mail:receipt for ada#1",
    "bank:read by cleo#1 before bank:write by bob#1",
  ]);
  breaks(asyncMutex.tryWaits, "who finds it busy is refused", ["manual:start#1 before disk:backup#1"]);
  breaks(asyncMutex.cancelled, "upload:start#1", ["user:cancel#1 before disk:part 2#1"]);
});

describe("p-retry", () => {
  holds(pRetry.backoff);
  holds(pRetry.aborted);
  breaks(pRetry.chargedTwice, "charged at most once", ["bank:receipt#1 fails"]);
  breaks(pRetry.sentAfterAll, "what is shown is true", ["user:undo#1 before smtp:send#1"]);
  breaks(pRetry.retriedAfterClose, "nobody comes back to a closed database", [
    "app:close#1 before database:timer 1000#1",
    "database:query#1 fails",
  ]);
});

describe("rxjs", () => {
  holds(rxjs.switched);
  holds(rxjs.debounced);
  holds(rxjs.caughtInside);
  breaks(rxjs.merged, "the last search is shown last", ["server:search ab#1 before server:search a#1"]);
  breaks(rxjs.caughtOutside, "both were searched", ["server:search a#1 fails"]);
  breaks(rxjs.caughtNowhere, "server:timer 1#1", ["server:search ab#1 fails"]);
  breaks(rxjs.leftRunning, "a closed page shows nothing new", ["page:close#1 before server:search ab#1"]);
});

describe("generic-pool", () => {
  holds(genericPool.drained);
  holds(genericPool.evicted);
  // At level jitter it has 19,290 orders: more than a test wants to run.
  holds(genericPool.turnedAway, ["spec"]);
  breaks(genericPool.neverGivenBack, "bob", ["server:query by ada#1 fails"]);
  breaks(genericPool.givenBackEarly, "nobody shares a connection", ["bob:start#1 before server:query by ada#1"]);
  breaks(genericPool.lentAfterClear, "bob:start#1", ["server:close 1#1 before bob:start#1"]);
  holds(genericPool.releasedInTimeout, ["spec"]);
  breaks(
    genericPool.releasedInTimeout,
    "user:borrow again#1",
    ["user:timer 1000#1 before user:give back#1", "user:give back#1 is late by 1"],
    "jitter",
  );
});

describe("lru-cache", () => {
  holds(lruCache.coalesced);
  holds(lruCache.revalidated);
  holds(lruCache.fetched);
  breaks(lruCache.setByHand, "the cache has the row or nothing", ["database:read[1]#1 before database:write#1"]);
  breaks(lruCache.rejectedByWrite, "reader:start#1", ["writer:set#1 before database:read#1"]);

  test("a cache of the module remembers the clock of an execution that broke off, and is told", async () => {
    const cache = new LRUCache<string, string>({ max: 10, ttl: 1_000 });
    const fresh = scenario("lru-cache: a fresh entry is there", (world) => {
      cache.clear();
      world.actor("app", async () => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        cache.set("ada", "row");
        await new Promise((resolve) => setTimeout(resolve, 500));
        world.note("is it there?", cache.has("ada"));
        await new Promise((resolve) => setTimeout(resolve, 5_000));
        if (!cache.has("ada")) throw new Error("gone, and the clock was read a moment ago");
      });
    });
    expect(await explore(fresh)).toMatchObject({
      outcome: "diverged",
      detail: expect.stringContaining("is it there?"),
    });
  });
});

function holds(subject: Scenario, levels: readonly Level[] = ["spec", "jitter"]): void {
  for (const level of levels) {
    test(`${subject.name}: holds at level ${level}`, async () => {
      expect(await explore(subject, { ...everyOrder, level })).toMatchObject({
        outcome: "held",
        certificate: { level, of: "orders" },
        reached: { missing: [] },
        ambiguous: [],
      });
    });
  }
}

function breaks(subject: Scenario, name: string, facts: readonly string[], level: Level = "spec"): void {
  test(`${subject.name}: found at level ${level}`, async () => {
    const found = await explore(subject, { ...everyOrder, level });
    if (found.outcome !== "violated") throw new Error(`Expected a violation, found ${found.outcome}`);
    expect(found).toMatchObject({ verdict: level === "spec" ? "bug" : "fragile", violation: { name } });
    expect(factsOf(found.repro)).toEqual(facts);
    expect(await replay(subject, found.repro)).toMatchObject({ outcome: "violated", violation: { name }, unmet: [] });
  });
}

function factsOf({ orderings, faults }: Repro): string[] {
  return [
    ...orderings.map(({ first, then }) => `${first} before ${then}`),
    ...faults.map(({ at, kind, arg }) => (kind === "late" ? `${at} is late by ${arg}` : `${at} ${kind}s`)),
  ];
}
