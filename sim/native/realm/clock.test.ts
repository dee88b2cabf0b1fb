import perfHooks, { performance as importedPerformance, PerformanceMark, PerformanceMeasure } from "node:perf_hooks";
import nodeProcess, { hrtime as importedHrtime } from "node:process";
import { expect, test } from "vitest";
import type { ExploreOptions } from "../../result.ts";
import { scenario, type World } from "../../scenario.ts";
import { search } from "../../search.ts";
import { firstCome } from "../../testing/executions.ts";
import { epochMs } from "./clock.ts";

/** What `look` sees at the start of an execution, and again `delayMs` later. */
async function seenAfter(delayMs: number, look: () => unknown, options: ExploreOptions = {}): Promise<unknown[]> {
  const seen: unknown[] = [];
  const body = (): void => {
    seen.push(look());
    setTimeout(() => seen.push(look()), delayMs);
  };
  expect((await firstCome(scenario("clock", body), options)).violation).toBeNull();
  return seen;
}

test("performance.now() and timeOrigin agree with Date, by the global and by node:perf_hooks", async () => {
  const look = (): unknown => [
    performance.now(),
    importedPerformance.now(),
    perfHooks.performance.now(),
    performance.timeOrigin + performance.now() - Date.now(),
    performance.timeOrigin,
  ];
  expect(await seenAfter(1_250, look)).toEqual([
    [0, 0, 0, 0, epochMs],
    [1_250, 1_250, 1_250, 0, epochMs],
  ]);
  expect(performance.now()).toBeGreaterThan(0);
  expect(performance.timeOrigin).toBeGreaterThan(epochMs + 86_400_000);
});

test("process.hrtime, hrtime.bigint and uptime tell virtual time, by the global and by node:process", async () => {
  const look = (): unknown => [
    process.hrtime(),
    importedHrtime(),
    process.hrtime([1, 999_999_999]),
    process.hrtime.bigint(),
    nodeProcess.hrtime.bigint(),
    importedHrtime.bigint(),
    process.uptime(),
  ];
  expect(await seenAfter(3_250, look)).toEqual([
    [[0, 0], [0, 0], [-2, 1], 0n, 0n, 0n, 0],
    [[3, 250_000_000], [3, 250_000_000], [1, 250_000_001], 3_250_000_000n, 3_250_000_000n, 3_250_000_000n, 3.25],
  ]);
  expect(process.uptime()).toBeGreaterThan(0);
});

test("process.hrtime() refuses what Node refuses, in Node's words", async () => {
  const refused = (): unknown =>
    [[1], 5, "x", null, [1, 2, 3]].map((earlier) => {
      try {
        return Reflect.apply(process.hrtime, process, [earlier]);
      } catch (error) {
        return String(error);
      }
    });
  const real = refused();
  expect(await seenAfter(1, refused)).toEqual([real, real]);
  expect(real).toEqual(expect.arrayContaining([expect.stringContaining("ERR_OUT_OF_RANGE")]));
});

test("a loop that waits for any of the clocks is a livelock, whichever it reads", async () => {
  const loops: Record<string, (world: World) => void> = {
    now: () => {
      while (performance.now() < 5);
    },
    bigint: () => {
      while (process.hrtime.bigint() < 5n);
    },
    uptime: () => {
      while (process.uptime() < 5);
    },
  };
  for (const [name, loop] of Object.entries(loops)) {
    expect((await firstCome(scenario(name, loop))).violation?.kind, name).toBe("livelock");
  }
});

test("performance.mark() and measure() make entries on the virtual clock, seen by the same execution only", async () => {
  performance.mark("mine");
  const look = (): unknown => {
    const first = performance.mark("start", { detail: { n: 1 } });
    performance.mark("early", { startTime: 2 });
    const made = Reflect.construct(PerformanceMark, ["made"]);
    const measures = [
      performance.measure("from early", "early"),
      performance.measure("both", "early", "start"),
      performance.measure("options", { start: 1, duration: 5, detail: "d" }),
      performance.measure("end", { end: 9, duration: 5 }),
      performance.measure("all"),
      performance.measure("since before", "mine"),
      performance.measure("since Node", "nodeStart"),
    ];
    const entries = performance.getEntries().length;
    performance.clearMarks("early");
    return {
      first: JSON.stringify(first),
      made: [made.startTime, made instanceof PerformanceMark],
      instances: [first instanceof PerformanceMark, measures[0] instanceof PerformanceMeasure],
      measures: measures.map(({ name, startTime, duration, detail }) => [name, startTime, duration, detail]),
      entries,
      marks: performance.getEntriesByType("mark").map(({ name }) => name),
      named: performance.getEntriesByName("both").length,
    };
  };
  const [start, later]: unknown[] = await seenAfter(10, look);
  expect(start).toEqual({
    first: '{"name":"start","entryType":"mark","startTime":0,"duration":0,"detail":{"n":1}}',
    made: [0, true],
    instances: [true, true],
    measures: [
      ["from early", 2, -2, null],
      ["both", 2, -2, null],
      ["options", 1, 5, "d"],
      ["end", 4, 5, null],
      ["all", 0, 0, null],
      ["since before", 0, 0, null],
      ["since Node", 0, 0, null],
    ],
    entries: 9,
    marks: ["start"],
    named: 1,
  });
  expect(later).toMatchObject({
    first: expect.stringContaining('"startTime":10'),
    made: [10, true],
    entries: 17,
    marks: ["start", "start"],
    named: 2,
  });
  const again: unknown[] = [];
  const subject = scenario("marks", () => void again.push(look()));
  await search(subject, { strategy: "random", executions: 5 });
  expect(again.length).toBeGreaterThan(5);
  expect(again).toEqual(again.map(() => start));
  expect(performance.getEntriesByName("start")).toEqual([]);
  expect(() => performance.measure("x", "start")).toThrow("has not been set");
  performance.clearMarks("mine");
});

test("performance.mark() and measure() refuse what Node refuses, in Node's words", async () => {
  const mark = (...args: unknown[]): unknown => Reflect.apply(performance.mark, performance, args);
  const measure = (...args: unknown[]): unknown => Reflect.apply(performance.measure, performance, args);
  const calls = [
    () => mark(),
    () => mark("nodeStart"),
    () => mark("x", 5),
    () => mark("x", { startTime: "now" }),
    () => mark("x", { startTime: -1 }),
    () => mark("x", { detail: () => 0 }),
    () => measure(5),
    () => measure("x", "no such mark"),
    () => measure("x", { start: 1, end: 2, duration: 1 }),
    () => measure("x", { start: 1 }, "end"),
    () => measure("x", { start: -1 }),
  ];
  const refused = (): unknown =>
    calls.map((call) => {
      try {
        return call();
      } catch (error) {
        return String(error);
      }
    });
  const real = refused();
  const seen = await seenAfter(1, refused);
  expect(seen).toEqual([real, real]);
  expect(real).not.toEqual(expect.arrayContaining([expect.any(Object)]));
});
