import { race } from "microloom/vitest";

/** Reads, waits for the database, writes: safe only because every update goes through the queue. */
class Counter {
  value = 0;
  #last: Promise<void> = Promise.resolve();
  readonly #database: { save(value: number): Promise<unknown> };

  constructor(database: { save(value: number): Promise<unknown> }) {
    this.#database = database;
  }

  increment(): Promise<void> {
    this.#last = this.#last.then(async () => {
      const read = this.value;
      await this.#database.save(read + 1);
      this.value = read + 1;
    });
    return this.#last;
  }
}

race("no increment is lost", { level: "jitter" }, (world) => {
  const counter = new Counter({ save: (value) => world.io("database:save", () => value) });
  world.actor("ada", () => counter.increment());
  world.actor("bob", () => counter.increment());
  world.atQuiescence("both were counted", () => counter.value === 2 || `the counter is at ${counter.value}`);
});
