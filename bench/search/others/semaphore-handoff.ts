/**
 * Defect: a permit that is handed to a waiter who has given up. Grants travel as messages; who gives up leaves the queue,
 * but a grant that is already under way finds nobody, and the permit is lost. Who comes later waits for ever.
 */
import { deferred } from "../deferred.ts";
import { type Program, type Step, traffic } from "../program.ts";

const queue = { writes: ["queue"] };

export const semaphoreHandoff: Program = {
  name: "semaphoreHandoff",
  start(outside) {
    const semaphore = new Semaphore(outside.port("server"));
    const user = new AbortController();
    outside.actor("user", async (step) => {
      await traffic(step, "keyboard", 2, "key");
      await step("give up", queue);
      user.abort();
    });
    outside.actor("upload", async (step) => {
      await step("ask", queue);
      await semaphore.acquire("upload");
      await traffic(step, "upload", 4, "part");
      await step("give back", queue);
      semaphore.release();
    });
    outside.actor("preview", async (step) => {
      await step("ask", queue);
      if (!(await semaphore.acquire("preview", user.signal))) return;
      await traffic(step, "preview", 2, "render");
      await step("give back", queue);
      semaphore.release();
    });
    outside.actor("backup", async (step) => {
      await traffic(step, "disk", 2, "scan");
      await step("ask", queue);
      await semaphore.acquire("backup");
      await traffic(step, "backup", 3, "copy");
      await step("give back", queue);
      semaphore.release();
    });
    outside.actor("metrics", (step) => traffic(step, "metrics", 5, "sample"));
    return () => semaphore.look();
  },
};

type Waiter = { readonly name: string; readonly grant: (granted: boolean) => void; gone: boolean };

class Semaphore {
  readonly #send: Step;
  readonly #waiting: Waiter[] = [];
  #free = 1;

  constructor(send: Step) {
    this.#send = send;
  }

  /** True when the permit was granted, false when the caller gave up before. */
  acquire(name: string, signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) return Promise.resolve(false);
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve(true);
    }
    const { promise, resolve } = deferred<boolean>();
    const waiter = { name, grant: resolve, gone: false };
    this.#waiting.push(waiter);
    signal?.addEventListener("abort", () => this.#leave(waiter), { once: true });
    return promise;
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else void this.#send(`grant ${next.name}`, { writes: ["queue"] }).then(() => this.#arrive(next));
  }

  #arrive(waiter: Waiter): void {
    if (!waiter.gone) waiter.grant(true);
  }

  #leave(waiter: Waiter): void {
    waiter.gone = true;
    const place = this.#waiting.indexOf(waiter);
    if (place >= 0) this.#waiting.splice(place, 1);
    waiter.grant(false);
  }

  look(): unknown {
    return [this.#free, ...this.#waiting.map(({ name }) => name)];
  }
}
