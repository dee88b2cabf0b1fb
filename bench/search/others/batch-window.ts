/**
 * Defect: a batching window that drops the last item. A flush writes what is there and then takes as many off the front;
 * two flushes that overlap write the same items and take them off twice, and with them what was added in between.
 */
import { type Program, type Step, traffic } from "../program.ts";

const flushFrom = 3;
const produced: Readonly<Record<string, readonly number[]>> = { mobile: [1, 2, 3], web: [4, 5], api: [6, 7] };

export const batchWindow: Program = {
  name: "batchWindow",
  start(outside) {
    const batcher = new Batcher(outside.port("sink"));
    for (const [name, items] of Object.entries(produced)) {
      outside.actor(name, async (step) => {
        for (const item of items) {
          await step(`receive ${item}`, { writes: ["batch"] });
          batcher.add(item);
        }
      });
    }
    outside.actor("window", async (step) => {
      for (let tick = 0; tick < 3; tick++) {
        await step("tick", { writes: ["batch"] });
        batcher.tick();
      }
    });
    outside.actor("metrics", (step) => traffic(step, "metrics", 5, "sample"));
    outside.atEnd("nothing is lost", () => {
      const lost = Object.values(produced)
        .flat()
        .filter((item) => !batcher.has(item));
      return lost.length === 0 || `lost ${lost}`;
    });
    return () => batcher.look();
  },
};

class Batcher {
  readonly #write: Step;
  readonly #batch: number[] = [];
  /** The sink knows an item that it has; writing one twice does no harm. */
  readonly #written = new Set<number>();
  #writes = 0;

  constructor(write: Step) {
    this.#write = write;
  }

  add(item: number): void {
    this.#batch.push(item);
    if (this.#batch.length >= flushFrom) void this.#flush();
  }

  tick(): void {
    if (this.#batch.length > 0) void this.#flush();
  }

  async #flush(): Promise<void> {
    const items = [...this.#batch];
    await this.#write(`write ${++this.#writes}`, { writes: ["batch"] });
    for (const item of items) this.#written.add(item);
    this.#batch.splice(0, items.length);
  }

  has(item: number): boolean {
    return this.#written.has(item) || this.#batch.includes(item);
  }

  look(): unknown {
    return [this.#batch, [...this.#written].sort(), this.#writes];
  }
}
