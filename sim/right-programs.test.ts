/** Programs that are right: whatever the order of deliveries, a search must find nothing in them. */

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type Scenario, scenario, type World } from "./scenario.ts";
import { search } from "./search.ts";

class Mutex {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(body: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(body);
    this.#tail = result.catch(() => undefined);
    return result;
  }
}

class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(free: number) {
    this.#free = free;
  }

  async acquire(): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}

const programs: Record<string, (world: World) => void> = {
  "a mutex excludes, and serves in order of asking": (world) => {
    const mutex = new Mutex();
    let inside = 0;
    const asked: string[] = [];
    const served: string[] = [];
    for (const name of ["a", "b", "c"]) {
      world.actor(name, () => {
        asked.push(name);
        return mutex.run(async () => {
          served.push(name);
          inside++;
          await world.delay("work");
          inside--;
        });
      });
    }
    world.always("one inside", () => inside <= 1);
    world.atQuiescence("in order", () => served.join() === asked.join() || `${served} after ${asked}`);
  },
  "a mutex goes on after a failure": (world) => {
    const mutex = new Mutex();
    let done = 0;
    world.events("u", [
      ["bad", () => mutex.run(() => world.io("x", () => Promise.reject(new Error("no")))), { mayReject: true }],
      ["good", () => mutex.run(async () => done++)],
    ]);
    world.atQuiescence("the second ran", () => done === 1);
  },
  "a semaphore bounds how many run": (world) => {
    const semaphore = new Semaphore(2);
    let running = 0;
    for (const name of ["a", "b", "c"]) {
      world.actor(name, async () => {
        await semaphore.acquire();
        running++;
        await world.delay("work");
        running--;
        semaphore.release();
      });
    }
    world.always("at most two", () => running <= 2);
  },
  "continuations of one promise run in order of subscription": (world) => {
    const order: number[] = [];
    const shared = world.delay("shared");
    for (const number of [1, 2, 3]) void shared.then(() => order.push(number));
    void world.delay("other");
    world.atQuiescence("in order", () => order.join() === "1,2,3");
  },
  "a tick count that needs no luck: both in one drain": (world) => {
    const log: string[] = [];
    world.events("u", [
      [
        "go",
        () => {
          void Promise.resolve().then(() => log.push("one"));
          void Promise.resolve()
            .then(() => null)
            .then(() => log.push("two"));
          queueMicrotask(() => log.push("between"));
        },
      ],
    ]);
    world.events("v", [["other", () => undefined]]);
    world.atQuiescence("in ECMAScript order", () => log.join() === "one,between,two" || log.join());
  },
  "losers of a race are let go": (world) => {
    world.actor("a", async () => {
      const winner = await Promise.race([
        world.delay("x").then(() => "x"),
        sleep(50).then(() => "late"),
        new Promise(() => {}),
      ]);
      world.note("winner", winner);
    });
  },
  "a time-out that is cancelled when the reply comes": (world) => {
    let timedOut = 0;
    let replied = 0;
    world.actor("a", async () => {
      const controller = new AbortController();
      const limit = sleep(1_000, "timeout", { signal: controller.signal }).catch(() => "cancelled");
      const reply = world.io("reply", () => "reply");
      const first = await Promise.race([limit, reply]);
      controller.abort();
      if (first === "reply") replied++;
      else timedOut++;
    });
    world.atQuiescence("exactly one", () => replied + timedOut === 1);
  },
  "a cache that stores promises asks once": (world) => {
    let asked = 0;
    let cached: Promise<number> | undefined;
    const load = (): Promise<number> => (cached ??= world.io("load", () => ++asked));
    for (const name of ["a", "b", "c"]) {
      world.actor(name, async () => {
        const value = await load();
        if (value !== 1) throw new Error(`loaded ${value}`);
      });
    }
  },
  "retries with a pause, eight of them": (world) => {
    world.actor("a", async () => {
      for (let attempt = 1; ; attempt++) {
        if (attempt === 8) return;
        await sleep(100);
      }
    });
    world.events("user", [["look", () => undefined]]);
  },
  "an interval that counts down": (world) => {
    let left = 5;
    world.actor(
      "a",
      () =>
        new Promise<void>((resolve) => {
          const interval = setInterval(() => {
            left--;
            if (left > 0) return;
            clearInterval(interval);
            resolve();
          }, 10);
        }),
    );
    world.events("user", [["look", () => left >= 0]]);
  },
  "a heartbeat for ever beside an agent that is stopped": (world) => {
    let stopped = false;
    const beat = setInterval(() => undefined, 50);
    beat.unref();
    world.actor("agent", async () => {
      while (!stopped) await sleep(30);
    });
    world.events("user", [
      [
        "stop",
        () => {
          stopped = true;
        },
      ],
    ]);
  },
  "a batcher that flushes in a microtask": (world) => {
    const flushed: number[][] = [];
    let batch: number[] = [];
    const add = (item: number): void => {
      if (batch.length === 0)
        queueMicrotask(() => {
          flushed.push(batch);
          batch = [];
        });
      batch.push(item);
    };
    world.events("u", [
      [
        "one",
        () => {
          add(1);
          add(2);
        },
      ],
      ["two", () => add(3)],
    ]);
    world.events("v", [["three", () => add(4)]]);
    world.atQuiescence(
      "nothing is lost or doubled",
      () => flushed.flat().sort().join() === "1,2,3,4" || flushed.join(" | "),
    );
  },
  "an async generator consumed by for await": (world) => {
    const seen: number[] = [];
    async function* numbers(): AsyncGenerator<number> {
      for (const number of [1, 2, 3]) {
        await world.delay("next");
        yield number;
      }
    }
    world.actor("a", async () => {
      for await (const number of numbers()) seen.push(number);
    });
    world.actor("b", () => world.delay("other"));
    world.atQuiescence("all, in order", () => seen.join() === "1,2,3");
  },
  "a debounce that fires once after the last call": (world) => {
    let fired = 0;
    let timer: NodeJS.Timeout | undefined;
    const call = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => fired++, 100);
    };
    world.events("user", [
      ["one", call],
      ["two", call],
      ["three", call],
    ]);
    world.atQuiescence("fired", () => fired >= 1 && fired <= 3);
  },
  "yielding to the event loop between pieces of work": (world) => {
    let pieces = 0;
    world.actor("a", async () => {
      const timeout = setTimeout(() => {
        throw new Error("timed out before time passed");
      }, 5_000);
      for (; pieces < 5; pieces++) await new Promise((resolve) => setImmediate(resolve));
      clearTimeout(timeout);
    });
  },
};

describe("search() finds nothing in right programs", () => {
  const named = Object.entries(programs).map(([name, body]): [string, Scenario] => [name, scenario(name, body)]);
  test.each(named)("search() holds: %s", async (_, program) => {
    for (const level of ["spec", "jitter"] as const) {
      for (const strategy of ["portfolio", "depth-first", "random"] as const) {
        const result = await search(program, { level, strategy, executions: 150 });
        expect(result).toMatchObject({ outcome: "held" });
      }
    }
  });
});
