import cryptoModule, { randomUUID as importedUuid } from "node:crypto";
import perfHooks from "node:perf_hooks";
import { hrtime as importedHrtime } from "node:process";
import timersModule, { setTimeout as importedSetTimeout } from "node:timers";
import timersPromises, { setTimeout as importedSleep } from "node:timers/promises";
import utilModule from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { planOf } from "../bounds.ts";
import { withRunner } from "../runner.ts";
import { type Scenario, scenario } from "../scenario.ts";
import { search } from "../search.ts";
import { FirstComeChooser } from "../strategy.ts";
import { firstCome } from "../testing/executions.ts";
import { epochMs } from "./realm/clock.ts";

const performanceNow = performance;
const webCrypto = globalThis.crypto;
const nothing = (): void => undefined;
const targets: readonly object[] = [
  globalThis,
  timersModule,
  timersPromises,
  timersPromises.scheduler,
  utilModule,
  cryptoModule,
  perfHooks,
  performance,
  Object.getPrototypeOf(performance),
  globalThis.crypto,
  Object.getPrototypeOf(globalThis.crypto),
  Math,
  process,
  process.env,
  process.hrtime,
  AbortSignal,
  Error,
  Date,
  Date.prototype,
  Intl,
  Intl.DateTimeFormat,
  Intl.DateTimeFormat.prototype,
  WeakRef.prototype,
  FinalizationRegistry.prototype,
];

/** Everything the realm could have replaced, down to property descriptors and the identity of listeners. */
function found(): unknown[] {
  const descriptors = targets.map((target) => Object.getOwnPropertyDescriptors(target));
  for (const own of ["queue", "depth", "batch"])
    Reflect.deleteProperty(descriptors[0] ?? {}, Symbol.for(`microloom.${own}`));
  const events = ["unhandledRejection", "uncaughtException", "uncaughtExceptionMonitor", "warning"];
  return [
    descriptors,
    events.map((event) => process.rawListeners(event)),
    [importedSetTimeout, importedSleep, importedUuid, importedHrtime],
  ];
}

/** As mocking libraries do it: by assignment, by definition, and whole objects at once. */
function replaceEverything(): void {
  const mock = (): never => {
    throw new Error("a mock was called");
  };
  class MockDate extends Date {}
  Reflect.set(globalThis, "Date", Object.assign(MockDate, { now: mock }));
  Reflect.set(globalThis, "crypto", { randomUUID: mock });
  Object.defineProperty(globalThis, "performance", { value: { now: mock }, configurable: true });
  Object.defineProperty(globalThis, "Math", { get: mock, configurable: true });
  Reflect.set(globalThis, "clearTimeout", mock);
  for (const key of ["hrtime", "uptime", "nextTick", "exit"]) Reflect.set(process, key, mock);
  for (const key of ["randomUUID", "randomBytes", "randomInt"]) Reflect.set(cryptoModule, key, mock);
  for (const key of ["mark", "measure", "timeOrigin"]) Reflect.set(performanceNow, key, mock);
  for (const key of ["randomUUID", "getRandomValues"]) Reflect.set(webCrypto, key, mock);
  for (const key of ["setTimeout", "setImmediate"]) Reflect.deleteProperty(timersModule, key);
  Object.defineProperty(timersPromises, "setTimeout", { get: mock, configurable: true });
}

/** Compares by identity: two functions of one shape are not the same function. */
function expectSame(before: unknown, after: unknown): void {
  expect(differences(before, after, "", 0)).toEqual([]);
}

function differences(before: unknown, after: unknown, path: string, depth: number): string[] {
  if (Object.is(before, after)) return [];
  const isPlain = (value: unknown): value is object =>
    typeof value === "object" &&
    value !== null &&
    (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype);
  if (depth > 4 || !isPlain(before) || !isPlain(after)) return [path];
  // Node itself keeps fetch's dispatcher on the global, from the first look at fetch on.
  const own = (key: PropertyKey): boolean => !String(key).includes("undici.globalDispatcher");
  const keys = new Set([...Reflect.ownKeys(before), ...Reflect.ownKeys(after)].filter(own));
  return [...keys].flatMap((key) =>
    differences(Reflect.get(before, key), Reflect.get(after, key), `${path}.${String(key)}`, depth + 1),
  );
}

describe("Realm", () => {
  const once = (): void => undefined;
  afterEach(() => process.removeListener("unhandledRejection", once));

  const bodies: [string, Scenario, boolean][] = [
    ["a held scenario", scenario("held", (world) => [setTimeout(nothing, 5), world.delay("x")]), false],
    ["a violation", scenario("violated", (world) => world.always("no", () => false)), false],
    [
      "a thrown error",
      scenario("thrown", () => {
        throw new Error("boom");
      }),
      false,
    ],
    ["an unhandled rejection", scenario("rejected", () => void Promise.reject(new Error("lost"))), false],
    [
      "nextTick that throws",
      scenario("tick", () =>
        process.nextTick(() => {
          throw new Error("boom");
        }),
      ),
      false,
    ],
    ["a wrong scenario", scenario("wrong", (world) => world.actor("a:b", nothing)), true],
    [
      "a livelock",
      scenario("livelock", (world) =>
        world.events("u", [
          [
            "x",
            async () => {
              for (;;) await null;
            },
          ],
        ]),
      ),
      false,
    ],
    [
      "a scenario that replaces globals",
      scenario("patching", () => {
        Object.defineProperty(globalThis, "setTimeout", { value: nothing, configurable: true, enumerable: false });
        Math.random = () => 4;
        Error.stackTraceLimit = 3;
        process.on("unhandledRejection", nothing);
        Reflect.deleteProperty(globalThis, "setInterval");
        performance.now = () => 7;
      }),
      false,
    ],
    [
      "a scenario that replaces what others have faked, and throws",
      scenario("faking", () => {
        replaceEverything();
        throw new Error("boom");
      }),
      false,
    ],
    [
      "a scenario that uses all of it",
      scenario("using", () => {
        performance.measure("x", performance.mark("y").name);
        process.env.TZ = "Asia/Tokyo";
        void [globalThis.crypto.randomUUID(), importedHrtime(), process.uptime(), new Date(2020, 1).toLocaleString()];
      }),
      false,
    ],
  ];
  test.each(bodies)("Realm restores exactly what it found after %s", async (_, body, rejects) => {
    process.once("unhandledRejection", once);
    process.on("warning", nothing);
    const before = found();
    const result = await search(body, { executions: 5 }).catch((error: unknown) => error);
    expect(result instanceof Error).toBe(rejects);
    expectSame(before, found());
    process.removeListener("warning", nothing);
  });

  test("Realm restores an accessor and a property that is not enumerable", async () => {
    const original = Object.getOwnPropertyDescriptor(globalThis, "setTimeout");
    const get = (): unknown => original?.value;
    Object.defineProperty(globalThis, "setTimeout", { get, set: nothing, configurable: true, enumerable: false });
    try {
      await firstCome(scenario("accessor", () => setTimeout(nothing, 1_000)));
      expect(Object.getOwnPropertyDescriptor(globalThis, "setTimeout")).toEqual({
        get,
        set: nothing,
        configurable: true,
        enumerable: false,
      });
    } finally {
      Object.defineProperty(globalThis, "setTimeout", original ?? {});
    }
  });

  test("Realm shows its own functions again in the batch after one that has replaced them", async () => {
    const seen: unknown[] = [];
    const subject = scenario("replaced", () => {
      seen.push([
        [setTimeout, clearTimeout, setInterval, Date, Date.now, Date.parse, process.nextTick, process.hrtime],
        [performance.now, performance.mark, Math.random, globalThis.crypto.randomUUID, cryptoModule.randomInt],
        [timersModule.setTimeout, timersPromises.setTimeout, importedUuid, Date.prototype.constructor],
      ]);
      Date.now = () => 5;
      Reflect.deleteProperty(Date, "parse");
      replaceEverything();
    });
    const before = found();
    await withRunner(subject, planOf(subject, {}).settings, async (runner) => {
      for (let batch = 0; batch < 3; batch++) {
        await runner.run(new FirstComeChooser(false));
        expectSame(before, found());
      }
    });
    const [first, ...others] = seen;
    expect(others).toHaveLength(2);
    for (const other of others) expectSame(first, other);
    expect(seen.flat(3).filter((value) => typeof value !== "function")).toEqual([]);
  });

  test("Realm recovers when what it must replace cannot be replaced", async () => {
    const original = Object.getOwnPropertyDescriptor(performance, "now");
    const before = found();
    const { defineProperty } = Object;
    let refused = false;
    Object.defineProperty = (target, key, attributes) => {
      if (target === Math && !refused) {
        refused = true;
        throw new TypeError("Cannot redefine property");
      }
      return defineProperty(target, key, attributes);
    };
    try {
      await expect(firstCome(scenario("refused", nothing))).rejects.toThrow("Cannot redefine property");
    } finally {
      Object.defineProperty = defineProperty;
    }
    expect(Object.getOwnPropertyDescriptor(performance, "now")).toEqual(original);
    expectSame(before, found());
    expect((await firstCome(scenario("after", nothing))).violation).toBeNull();
  });

  test("Realm shows time from the epoch on, and a Date like any other", async () => {
    const RealDate = Date;
    const dateNow = (): Date => new Date();
    const seen: unknown[] = [];
    await firstCome(
      scenario("dates", (world) => {
        const date = new Date();
        seen.push(date.toISOString(), Date.now() - epochMs, performance.now(), world.nowMs);
        seen.push(
          date instanceof Date,
          date instanceof RealDate && date.constructor === Date && new Date(date).constructor === Date,
          Object.prototype.toString.call(date),
          Date.name,
          Date.length,
        );
        seen.push(
          new Date(5).getTime(),
          new Date(2020, 0, 1).getMonth(),
          Date.UTC(1970, 0, 2),
          Date.parse("1970-01-01T00:00:00Z"),
        );
        seen.push(Reflect.apply(Date, undefined, []) === date.toString());
        class Later extends Date {
          later = true;
        }
        seen.push(new Later().getTime() - epochMs, new Later() instanceof Later, new Later().later);
        setTimeout(
          () => seen.push(Date.now() - epochMs, performance.now(), world.nowMs, Number(dateNow()) - epochMs),
          1_234,
        );
      }),
    );
    expect(seen).toEqual([
      ...["2020-01-01T00:00:00.000Z", 0, 0, 0],
      ...[true, true, "[object Date]", "Date", 7],
      ...[5, 0, 86_400_000, 0],
      true,
      ...[0, true, true],
      ...[1_234, 1_234, 1_234, 1_234],
    ]);
    expect(Math.abs(Date.now() - epochMs)).toBeGreaterThan(86_400_000);
  });

  test("Realm seeds Math.random by the seed and the execution", async () => {
    const drawn = async (seed: string): Promise<number[]> => {
      const numbers: number[] = [];
      await firstCome(
        scenario("random", () => numbers.push(Math.random(), Math.random())),
        { seed },
      );
      return numbers;
    };
    const one = await drawn("one");
    expect(await drawn("one")).toEqual(one);
    expect(await drawn("two")).not.toEqual(one);
    expect(new Set(one).size).toBe(2);
  });

  test("Realm leaves stack traces out while searching", async () => {
    let stack: unknown;
    await firstCome(scenario("stacks", () => (stack = new Error("x").stack)));
    expect(stack).toBe("Error: x");
    expect(new Error("y").stack).toMatch(/at .*realm\.test/);
  });

  test("Realm leaves real timers alone between batches", async () => {
    const real = new Promise((resolve) => setTimeout(resolve, 1));
    const searched = search(
      scenario("long", (world) => [world.delay("x"), world.delay("y"), setTimeout(nothing, 60_000)]),
      { strategy: "random", executions: 20_000 },
    );
    const first = await Promise.race([real.then(() => "timer"), searched.then(() => "search")]);
    expect(first).toBe("timer");
    expect((await searched).outcome).toBe("held");
    await new Promise((resolve) => setImmediate(resolve));
  });
});
