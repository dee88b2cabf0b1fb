/**
 * p-limit starts its next task in the microtasks of the one that ends, so the order of the I/O decides which tasks run
 * together. The limit holds in every order. What a limit of two, a cleared queue or a nested call does to the code
 * around it is documented, and found.
 */
import { scenario, type World } from "microloom";
import pLimit, { type LimitFunction } from "p-limit";

export const limitHolds = scenario("p-limit: never more tasks at once than the limit", (world) => {
  const limit = pLimit(2);
  const downloaded: string[] = [];
  let running = 0;
  const download = async (file: string) => {
    running++;
    await world.io(`mirror:download ${file}`, () => downloaded.push(file));
    running--;
  };
  world.actor("ada", () => limit.map(["a", "b"], download));
  world.actor("bob", () => limit(download, "c"));
  world.always("at most two run", () => running <= 2 || `${running} run`);
  world.sometimes("two run while one waits", () => running === 2 && limit.pendingCount === 1);
  world.atQuiescence("every file is there, and the limiter is empty", () => {
    return downloaded.length === 3 && limit.activeCount + limit.pendingCount === 0;
  });
});

/** Two withdrawals that read, wait and write. */
function withdrawals(world: World, limit: LimitFunction): void {
  let balance = 100;
  const withdraw = async (amount: number) => {
    const read = await world.io(`bank:read for ${amount}`, () => balance);
    await world.io(`bank:write for ${amount}`, () => {
      balance = read - amount;
    });
  };
  world.actor("ada", () => limit(withdraw, 10));
  world.actor("bob", () => limit(withdraw, 20));
  world.atQuiescence("both were withdrawn", () => balance === 70 || `the balance is ${balance}`);
}

/** A limit of one is a queue. */
export const limitOfOne = scenario("p-limit: a limit of one loses no update", (world) => {
  const limit = pLimit(1);
  withdrawals(world, limit);
  world.sometimes("one waits for the other", () => limit.pendingCount === 1);
});

/** A limit of two is no lock. */
export const limitOfTwo = scenario("p-limit: a limit of two loses an update", (world) => {
  withdrawals(world, pLimit(2));
});

/** A cleared task stays unsettled for ever, unless the limiter was made with `rejectOnClear`. */
export const clearedTasksHang = scenario("p-limit: whoever waits for a cleared task waits for ever", (world) => {
  const limit = pLimit(1);
  const resize = (image: string) => limit(() => world.io(`disk:resize ${image}`, () => image));
  world.actor("album", () => Promise.all([resize("a"), resize("b")]));
  world.events("user", [["cancel", () => limit.clearQueue()]]);
});

/** A limited task that waits for a task of its own limiter can block it. It takes two at the same time. */
export const nestedTasksBlock = scenario("p-limit: tasks inside of tasks block their limiter", (world) => {
  const limit = pLimit(2);
  const crawl = async (page: string) => {
    await world.io(`site:${page}`, () => page);
    await limit(() => world.io(`site:links of ${page}`, () => []));
  };
  world.actor("ada", () => limit(crawl, "home"));
  world.actor("bob", () => limit(crawl, "blog"));
});
