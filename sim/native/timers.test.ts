import timersModule, { setTimeout as importedSetTimeout } from "node:timers";
import {
  setImmediate as immediate,
  setInterval as interval,
  scheduler,
  setTimeout as sleep,
} from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { Execution } from "../execution.ts";
import { scenario, type World } from "../scenario.ts";
import { everyExecution, firstCome, namesOf } from "../testing/executions.ts";

const nothing = (): void => undefined;
/** Runs the first-come schedule and returns what was delivered and noted. */
async function told(body: (world: World) => unknown): Promise<string[]> {
  const execution = await firstCome(scenario("a test", body));
  expect(execution.violation).toBeNull();
  return linesOf(execution);
}
const linesOf = (execution: Execution): string[] =>
  execution.steps.flatMap(({ name, nowMs, notes }) => [
    `${nowMs} ${name}`,
    ...notes.map(({ event, data }) => `  ${event}${data === undefined ? "" : ` ${JSON.stringify(data)}`}`),
  ]);

describe("setTimeout()", () => {
  test.each<[unknown, number]>([
    [undefined, 1],
    [null, 1],
    [0, 1],
    [-1, 1],
    [-0, 1],
    [Number.NaN, 1],
    [Number.POSITIVE_INFINITY, 1],
    [Number.NEGATIVE_INFINITY, 1],
    [2 ** 31, 1],
    [2 ** 31 - 1, 2_147_483_647],
    [1.9, 1],
    [0.5, 1],
    [99.99, 99],
    ["100", 100],
    ["ten", 1],
    [{}, 1],
    [[7], 7],
    [true, 1],
  ])("setTimeout() clamps a delay of %o as Node does", async (delay, ms) => {
    const arm = (after: unknown): unknown => Reflect.apply(setTimeout, undefined, [nothing, after]);
    expect(await told(() => arm(delay))).toEqual([`${ms} main:timer ${ms}#1`]);
  });

  test("setTimeout() passes arguments and the handle", async () => {
    const lines = await told((world) => {
      const timer = setTimeout(
        function (this: unknown, ...args: unknown[]) {
          world.note("args", [args, this === timer]);
        },
        5,
        1,
        "two",
        [3],
      );
    });
    expect(lines).toEqual(["5 main:timer 5#1", '  args [[1,"two",[3]],true]']);
  });

  test("setTimeout() refuses what is no function, as Node does", async () => {
    await told((world) => {
      for (const start of [setTimeout, setInterval, setImmediate]) {
        expect(() => Reflect.apply(start, undefined, ["code"])).toThrow(TypeError);
        expect(() => Reflect.apply(start, undefined, [])).toThrow('The "callback" argument must be of type function');
      }
      world.note("done");
    });
  });

  test("setTimeout() returns a handle with Node's methods", async () => {
    const lines = await told((world) => {
      const timer = setTimeout(() => world.note("fired"), 5);
      expect(timer.unref()).toBe(timer);
      expect(timer.hasRef()).toBe(false);
      expect(timer.ref().hasRef()).toBe(true);
      expect(setTimeout(nothing, 6).close()).toBeDefined();
      timer.unref();
      const immediate = setImmediate(nothing);
      expect(immediate.unref().hasRef()).toBe(false);
    });
    expect(lines).toEqual(["0 main:immediate#1", "5 main:timer 5#1", "  fired"]);
  });
});

describe("clearTimeout()", () => {
  test("clearTimeout() takes handles, their numbers and those as strings", async () => {
    const lines = await told(() => {
      clearTimeout(setTimeout(nothing, 1));
      clearTimeout(Number(setTimeout(nothing, 2)));
      clearTimeout(`${Number(setTimeout(nothing, 3))}`);
      clearInterval(setTimeout(nothing, 4));
      clearTimeout(setInterval(nothing, 5));
      clearImmediate(setImmediate(nothing));
      setTimeout(nothing, 6);
    });
    expect(lines).toEqual(["6 main:timer 6#1"]);
  });

  test("clearTimeout() ignores everything else", async () => {
    const lines = await told(() => {
      const timers = [setTimeout(nothing, 1), setTimeout(nothing, 2), setTimeout(nothing, 3)];
      const known = Number(timers[2]);
      expect(known).toBeGreaterThan(0);
      const garbage = [
        undefined,
        null,
        0,
        1,
        2,
        -1,
        Number.NaN,
        "",
        "0",
        "1",
        "abc",
        `0${known}`,
        ` ${known}`,
        {},
        [],
        nothing,
        Symbol("x"),
      ];
      for (const clear of [clearTimeout, clearInterval, clearImmediate]) {
        for (const value of garbage) Reflect.apply(clear, undefined, [value]);
      }
      Reflect.apply(clearImmediate, undefined, [timers[0]]);
      Reflect.apply(clearTimeout, undefined, [setImmediate(nothing)]);
      clearTimeout(timers[1]);
      clearTimeout(timers[1]);
    });
    expect(lines).toEqual(["0 main:immediate#1", "1 main:timer 1#1", "3 main:timer 3#1"]);
  });

  test("clearTimeout() of a timer that has fired does nothing", async () => {
    const lines = await told(() => {
      const first = setTimeout(nothing, 1);
      const number = Number(first);
      setTimeout(() => {
        clearTimeout(first);
        clearTimeout(number);
        setTimeout(nothing, 1);
      }, 2);
    });
    expect(lines).toEqual(["1 main:timer 1#1", "2 main:timer 2#1", "3 main:timer 1#2"]);
  });

  test("clearTimeout() of a tie leaves the others", async () => {
    const executions = await everyExecution(
      scenario("ties", () => {
        const timers = [setTimeout(() => clearTimeout(timers[1]), 4), setTimeout(nothing, 4), setTimeout(nothing, 4)];
      }),
    );
    expect(executions.map(namesOf)).toEqual([["main:timer 4#1", "main:timer 4#3"]]);
  });
});

describe("setInterval()", () => {
  test.each<[string, (handle: NodeJS.Timeout) => void]>([
    ["clearInterval", (handle) => clearInterval(handle)],
    ["its number", (handle) => clearInterval(Number(handle))],
    ["close()", (handle) => void handle.close()],
    ["dispose", (handle) => handle[Symbol.dispose]()],
  ])("setInterval() ends when cleared in its own callback by %s", async (_, clear) => {
    const lines = await told(() => {
      let left = 2;
      const handle = setInterval(() => {
        if (--left === 0) clear(handle);
      }, 10);
    });
    expect(lines).toEqual(["10 main:interval 10#1", "20 main:interval 10#2"]);
  });

  test("setInterval() ends when cleared in the drain of its callback", async () => {
    const lines = await told(() => {
      const handle = setInterval(() => void Promise.resolve().then(() => clearInterval(handle)), 10);
    });
    expect(lines).toEqual(["10 main:interval 10#1"]);
  });

  test("setInterval() fires after what its callback has armed for the same time", async () => {
    const lines = await told(() => {
      const handle = setInterval(() => {
        setTimeout(() => clearInterval(handle), 10);
      }, 10);
    });
    expect(lines).toEqual(["10 main:interval 10#1", "20 main:timer 10#1"]);
  });

  test("setInterval() is refreshed once from within its callback", async () => {
    const lines = await told(() => {
      let left = 2;
      const handle = setInterval(() => {
        handle.refresh();
        if (--left === 0) clearInterval(handle);
      }, 10);
    });
    expect(lines).toEqual(["10 main:interval 10#1", "20 main:interval 10#2"]);
  });
});

describe("refresh()", () => {
  test("refresh() starts the duration again, before and after firing, and not when cleared", async () => {
    const lines = await told((world) => {
      const timer = setTimeout(() => world.note("fired"), 10);
      const cleared = setTimeout(nothing, 10);
      clearTimeout(cleared);
      cleared.refresh();
      setTimeout(() => timer.refresh(), 5);
      setTimeout(() => timer.refresh(), 50);
      setTimeout(() => clearTimeout(timer), 55);
    });
    expect(lines).toEqual([
      "5 main:timer 5#1",
      "15 main:timer 10#3",
      "  fired",
      "50 main:timer 50#1",
      "55 main:timer 55#1",
    ]);
  });
});

describe("node:timers and node:timers/promises", () => {
  test("timers of node:timers are virtual inside an execution", async () => {
    const lines = await told(() => {
      importedSetTimeout(nothing, 60_000);
      timersModule.setTimeout(nothing, 70_000);
      timersModule.clearTimeout(timersModule.setInterval(nothing, 1));
    });
    expect(lines).toEqual(["60000 main:timer 60000#1", "70000 main:timer 70000#1"]);
  });

  test("sleep and immediate of node:timers/promises are virtual and give their values", async () => {
    const lines = await told((world) =>
      world.actor("a", async () => {
        world.note("slept", await sleep(60_000, "value"));
        world.note("immediate", await immediate("now"));
        world.note("promisified", await promisify(setTimeout)(5, "later"));
        world.note("promisified", await promisify(setImmediate)("soon"));
        await scheduler.wait(7);
        await scheduler.yield();
      }),
    );
    expect(lines).toEqual([
      "0 a:start#1",
      "60000 a:timer 60000#1",
      '  slept "value"',
      "60000 a:immediate#1",
      '  immediate "now"',
      "60005 a:timer 5#1",
      '  promisified "later"',
      "60005 a:immediate#2",
      '  promisified "soon"',
      "60012 a:timer 7#1",
      "60012 a:immediate#3",
    ]);
  });

  test("interval of node:timers/promises counts what fires while its consumer is busy", async () => {
    const lines = await told((world) =>
      world.actor("a", async () => {
        let rounds = 0;
        for await (const value of interval(10, "tick")) {
          world.note(`${value} at ${world.nowMs}`);
          if (++rounds === 1) await sleep(35);
          if (rounds === 4) break;
        }
      }),
    );
    expect(lines).toEqual([
      "0 a:start#1",
      "10 a:interval 10#1",
      "  tick at 10",
      "20 a:interval 10#2",
      "30 a:interval 10#3",
      "40 a:interval 10#4",
      "45 a:timer 35#1",
      "  tick at 45",
      "  tick at 45",
      "  tick at 45",
    ]);
  });

  test("an abort signal ends sleep, immediate and interval with an AbortError, and their timers", async () => {
    const lines = await told((world) =>
      world.actor("a", async () => {
        const described = (promise: Promise<unknown>): Promise<unknown> =>
          promise.catch((error: Error & { code?: string }) => [error.name, error.code, String(error.cause)]);
        const controller = new AbortController();
        const { signal } = controller;
        const next = interval(1_000, "x", { signal }).next();
        const waiting = [sleep(1_000, 1, { signal }), immediate(1, { signal }), next].map(described);
        controller.abort("enough");
        world.note("ended", await Promise.all(waiting));
        world.note("at once", await described(sleep(5, 1, { signal })));
        world.note("at once", await described(interval(5, 1, { signal }).next()));
        const late = new AbortController();
        await sleep(3, 1, { signal: late.signal });
        late.abort();
      }),
    );
    const ended = ["AbortError", "ABORT_ERR", "enough"];
    expect(lines).toEqual([
      "0 a:start#1",
      `  ended ${JSON.stringify([ended, ended, ended])}`,
      `  at once ${JSON.stringify(ended)}`,
      `  at once ${JSON.stringify(ended)}`,
      "3 a:timer 3#1",
    ]);
  });

  test("AbortSignal.timeout() aborts at its virtual time, and any() follows", async () => {
    const lines = await told((world) =>
      world.actor("a", async () => {
        const signal = AbortSignal.any([AbortSignal.timeout(5_000), AbortSignal.timeout(9_000)]);
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        world.note("aborted", [String(signal.reason), signal.reason instanceof DOMException, world.nowMs]);
      }),
    );
    expect(lines).toEqual([
      "0 a:start#1",
      "5000 a:timer 5000#1",
      '  aborted ["TimeoutError: The operation was aborted due to timeout",true,5000]',
      "9000 a:timer 9000#1",
    ]);
  });
});
