/**
 * Defect: two owners take two file locks in opposite order. A third contends for one of the locks, three flows touch
 * nothing. The lock is a real one: who finds it taken waits for a promise, and the release hands it over in its own drain,
 * where the waiter goes on to its next step. Who asks while the lock is taken stands in a queue, so the order of asking is
 * an order, too: 36 classes, where a lock that cannot even be asked for until it is free has 8.
 */
import { type Outside, type Program, type Step, traffic } from "../program.ts";

export const leaseDeadlock: Program = {
  name: "leaseDeadlock",
  start(outside) {
    const locks = { "file 1": new Lock(), "file 2": new Lock() };
    const take = async (step: Step, file: keyof typeof locks, owner: string): Promise<void> => {
      await step(`lock ${file}`, { writes: [file] });
      await locks[file].acquire(owner);
    };
    const both = async (step: Step, owner: string, first: keyof typeof locks, then: keyof typeof locks) => {
      await take(step, first, owner);
      await step("edit", { reads: ["plan"] });
      await take(step, then, owner);
      await step("release", { writes: [first, then] });
      locks[first].release();
      locks[then].release();
    };
    outside.actor("a", async (step) => {
      await step("prepare", {});
      await both(step, "a", "file 1", "file 2");
    });
    outside.actor("b", async (step) => {
      await traffic(step, "model of b", 9, "model");
      await both(step, "b", "file 2", "file 1");
    });
    outside.actor("c", async (step) => {
      await take(step, "file 1", "c");
      await step("release", { writes: ["file 1"] });
      locks["file 1"].release();
    });
    clients(outside);
    return () => Object.values(locks).map((lock) => lock.look());
  },
};

function clients(outside: Outside): void {
  for (const name of ["client 1", "client 2", "client 3"]) {
    outside.actor(name, (step) => traffic(step, name, 6, "request"));
  }
}

class Lock {
  #owner: string | null = null;
  readonly #waiting: { readonly owner: string; readonly grant: () => void }[] = [];

  look(): unknown {
    return [this.#owner, ...this.#waiting.map(({ owner }) => owner)];
  }

  acquire(owner: string): Promise<void> {
    if (this.#owner !== null) return new Promise((grant) => this.#waiting.push({ owner, grant }));
    this.#owner = owner;
    return Promise.resolve();
  }

  release(): void {
    const next = this.#waiting.shift();
    this.#owner = next?.owner ?? null;
    next?.grant();
  }
}
