import { afterEach, describe, expect, test } from "vitest";
import type { ExploreOptions } from "../result.ts";
import { type Scenario, scenario, type World } from "../scenario.ts";
import { search } from "../search.ts";
import { everyExecution } from "../testing/executions.ts";
import { forceDrain } from "./jobs.ts";

// Taken before an execution puts its own in the place of it.
const realSetImmediate = setImmediate;

afterEach(() => forceDrain(null));

function everything(world: World): void {
  let writes = 0;
  const write = async (by: string): Promise<void> => {
    const read = writes;
    await world.io(`store:${by}`, () => null, { mayFail: true }).catch(() => world.note("failed"));
    process.nextTick(() => world.note("tick"));
    await new Promise((resolve) => setTimeout(resolve, 5));
    setImmediate(() => world.note("immediate"));
    writes = read + 1;
  };
  world.actor("ada", () => write("ada"));
  world.events("bob", [["write", () => void write("bob")]]);
  world.sometimes("both wrote", () => writes === 2);
  world.atQuiescence("nobody writes twice", () => writes < 3);
}

/** Measured, a drain would count what the test runner has to do between macrotasks. */
const jitter = { level: "jitter", jitterTicks: 4 } as const;

const scenarios: readonly (readonly [Scenario, ExploreOptions])[] = [
  [scenario("everything", everything), { executions: 60 }],
  [scenario("everything", everything), { executions: 60, ...jitter }],
  [
    scenario("a lost update", (world) => {
      everything(world);
      world.atQuiescence("nothing is lost", () => false);
    }),
    { strategy: "placement" },
  ],
  [
    scenario("errors", (world) => {
      world.events("user", [["throw", () => process.nextTick(() => Promise.reject(new Error("lost")))]]);
    }),
    {},
  ],
  [
    scenario("a callback that throws", (world) => {
      world.events("user", [
        [
          "throw",
          () =>
            process.nextTick(() => {
              throw new Error("boom");
            }),
        ],
      ]);
    }),
    {},
  ],
];

describe("drains", () => {
  test.each(scenarios)(
    "search() of %o with %o finds the same with one real macrotask per delivery",
    async (one, options) => {
      forceDrain(true);
      const inOneStretch = await search(one, options);
      forceDrain(false);
      expect(JSON.stringify(await search(one, options))).toBe(JSON.stringify(inOneStretch));
    },
  );

  test("every execution is the same with one real macrotask per delivery", async () => {
    const two = scenario("two", (world) => {
      for (const name of ["a", "b"]) {
        world.actor(name, async () => {
          await null;
          await world.delay(name);
          await null;
          world.note(name);
        });
      }
    });
    forceDrain(true);
    const inOneStretch = await everyExecution(two, jitter);
    forceDrain(false);
    expect(await everyExecution(two, jitter)).toEqual(inOneStretch);
  });

  test("what somebody else asks for between two executions is done: so are messages of other processes", async () => {
    forceDrain(false);
    const told = { asked: 0, done: 0, over: false };
    const ask = (): void => {
      if (told.over) return;
      told.asked++;
      process.nextTick(() => told.done++);
      realSetImmediate(ask);
    };
    realSetImmediate(ask);
    await search(scenario("everything", everything), { executions: 60 });
    told.over = true;
    await new Promise((resolve) => realSetImmediate(resolve));
    expect(told.asked).toBeGreaterThan(60);
    expect(told.done).toBe(told.asked);
  });

  test("the drain of this Node works", async () => {
    forceDrain(null);
    const { drainsSynchronously } = await import("./jobs.ts");
    expect(await new Promise((resolve) => setImmediate(() => resolve(drainsSynchronously())))).toBe(true);
  });
});
