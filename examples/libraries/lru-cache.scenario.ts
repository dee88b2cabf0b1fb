/**
 * lru-cache, whose fetch() loads once for all who ask, and aborts a load when its key is set or deleted meanwhile. A
 * cache that is filled by hand has no such guard and keeps a row older than the database. The guard has its price: who
 * waits for the load is rejected.
 *
 * Time. Each cache remembers the clock for `ttlResolution` (1 ms) and forgets it by a timer. An execution that ends
 * before that timer leaves the clock in a cache made outside of the body: microloom then says "diverged". An entry set at
 * time 0 has no start for the library (`!!start`), and virtual time starts at 0: with the default clock, `performance`,
 * such an entry never gets stale. `perf: Date` is a clock that is never 0; it must be read in the body, where Date is
 * virtual.
 */
import { LRUCache } from "lru-cache";
import { scenario, type World } from "microloom";

export const coalesced = scenario("lru-cache: fetch() loads once for all who ask", (world) => {
  let loads = 0;
  const cache = new LRUCache<string, string>({
    max: 10,
    fetchMethod: (key) => {
      loads++;
      return world.io(`database:load ${key}`, () => `row of ${key}`);
    },
  });
  const seen: (string | undefined)[] = [];
  let asked = 0;
  for (const reader of ["reader 1", "reader 2", "reader 3"]) {
    world.actor(reader, async () => {
      asked++;
      seen.push(await cache.fetch("ada"));
    });
  }
  world.always("one load", () => loads <= 1 || `${loads} loads`);
  world.sometimes("three wait for the one load", () => asked === 3 && seen.length === 0);
  world.atQuiescence("all have seen it", () => seen.length === 3 && seen.every((row) => row === "row of ada"));
});

export const revalidated = scenario("lru-cache: a stale row at once, the fresh one in the background", (world) => {
  let version = 0;
  const cache = new LRUCache<string, number>({
    max: 10,
    ttl: 1_000,
    allowStale: true,
    perf: Date,
    fetchMethod: (key) => world.io(`database:load ${key}`, () => ++version),
  });
  const seen: (number | undefined)[] = [];
  const read = async () => void seen.push(await cache.fetch("ada"));
  world.actor("app", async () => {
    await read();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await read();
    await new Promise((resolve) => setTimeout(resolve, 2));
    await Promise.all([read(), read()]);
    await read();
  });
  world.sometimes("stale reads did not wait for the load", () => version === 1 && seen.length === 5);
  world.atQuiescence("fresh for a second, then stale until it is loaded", () => {
    return (seen.slice(0, 4).join() === "1,1,1,1" && version === 2 && cache.get("ada") === 2) || seen.join();
  });
});

/** Read, wait, set: the delete() of a writer comes between, and the old row stays for good. */
export const setByHand = scenario("lru-cache: a row set by hand is older than the database", (world) => {
  const cache = new LRUCache<string, number>({ max: 10 });
  const load = rowOf(world, cache);
  world.actor("reader", async () => void cache.set("ada", await load()));
});

/** The same with fetch(): the delete() aborts the load, whose result is not kept. The reader has to ask again. */
export const fetched = scenario("lru-cache: a row fetched is never older than the database", (world) => {
  const cache = new LRUCache<string, number>({ max: 10, fetchMethod: () => load() });
  const load = rowOf(world, cache);
  let rejected = 0;
  const read = (): Promise<unknown> =>
    cache.fetch("ada").catch(() => {
      rejected++;
      return read();
    });
  world.actor("reader", read);
  world.sometimes("the reader asks twice", () => rejected === 1 && cache.get("ada") === 2);
});

/** A row in a database, which takes two steps to load. A writer changes it and deletes what the cache has of it. */
function rowOf(world: World, cache: LRUCache<string, number>) {
  let row = 1;
  let loads = 0;
  world.actor("writer", async () => {
    await world.io("database:write", () => {
      row = 2;
    });
    cache.delete("ada");
  });
  world.atQuiescence("the cache has the row or nothing", () => {
    const cached = cache.get("ada");
    return cached === undefined || cached === row || `${cached} is cached, ${row} is true`;
  });
  return async () => {
    const key = String(++loads);
    const read = await world.io("database:read", () => row, { key });
    await world.delay("template:render", { key });
    return read;
  };
}

/** set() and delete() reject who waits for a load of that key, with the errors "replaced" and "deleted". */
export const rejectedByWrite = scenario("lru-cache: a write rejects who is waiting for the row", (world) => {
  const cache = new LRUCache<string, number>({ max: 10, fetchMethod: () => world.io("database:read", () => 1) });
  world.actor("reader", () => cache.fetch("ada"));
  world.events("writer", [["set", () => void cache.set("ada", 2)]]);
  world.atQuiescence("the written row stays", () => cache.get("ada") === 2);
});
