import { scenario } from "microloom";

/** Warms its cache and reads it at once: whoever reads waits long enough, as the code is today. */
class Cache {
  value = "cold";

  async warm(): Promise<void> {
    await null;
    this.value = "warm";
  }

  async read(): Promise<string> {
    await null;
    await null;
    return this.value;
  }
}

export const warmCache = scenario("the cache is warm before it is read", (world) => {
  const cache = new Cache();
  let seen = "nothing";
  world.actor("app", async () => {
    [, seen] = await Promise.all([cache.warm(), cache.read()]);
  });
  world.atQuiescence("what is read is warm", () => seen === "warm" || `read ${seen}`);
});
