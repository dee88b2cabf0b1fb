import { describe, expect, test } from "vitest";
import { streamSeed } from "../random.ts";
import type { Level, Ordering } from "../result.ts";
import { type EventStep, scenario } from "../scenario.ts";
import { ScheduleChooser } from "../schedule.ts";
import { search } from "../search.ts";
import { executed, namesOf } from "../testing/executions.ts";
import { chains, sampled, wordOf } from "../testing/sampled.ts";
import { Orderings } from "./orderings.ts";

const seed = streamSeed("orderings", "schedule");
const nothing = (): void => undefined;

describe("Orderings", () => {
  test.each(["spec", "jitter"] as const)(
    "Orderings runs what ScheduleChooser runs, at level %s",
    async (level: Level) => {
      const drawn: (readonly Ordering[])[] = [];
      const strategy = new Orderings(seed, level);
      const program = scenario("mixed", (world) => {
        drawn.push(strategy.orderings);
        const count = world.choose("count", [1, 2, 3]);
        for (let index = 0; index < count; index++) world.io("x", nothing, { mayFail: true }).catch(nothing);
        world.actor("actor", async () => {
          await world.delay("a");
          await world.delay("net:b");
        });
        world.events("user", [
          ["one", () => setTimeout(nothing, 5)],
          ["two", async () => await world.delay("net:c")],
        ]);
      });
      const executions = await sampled(program, strategy, 200, { level });
      const orderings = drawn.slice(-200);
      expect(orderings.filter((list) => list.length === 3).length).toBeGreaterThan(30);
      for (const [at, { faults, data, steps }] of executions.entries()) {
        const schedule = { orderings: orderings[at] ?? [], faults, data };
        const again = await executed(program, new ScheduleChooser(schedule), { level });
        expect(namesOf(again)).toEqual(steps.map(({ name }) => name));
        expect(again.faults).toEqual(faults);
      }
    },
  );

  test("Orderings finds what must wait for a long chain", async () => {
    const late = scenario("late", (world) => {
      let done = false;
      const steps: EventStep[] = Array.from({ length: 40 }, (_, at) => [`${at}`, nothing]);
      world.events("late", [
        [
          "completion",
          () => {
            if (done) throw new Error("completed after the end");
          },
        ],
      ]);
      world.events("chain", [
        ...steps,
        [
          "end",
          () => {
            done = true;
          },
        ],
      ]);
    });
    const found: number[] = [];
    for (let round = 0; round < 20; round++) {
      const result = await search(late, { strategy: "orderings", seed: `${round}`, executions: 1_000 });
      expect(result.outcome).toBe("violated");
      found.push(result.executions);
    }
    found.sort((one, other) => one - other);
    expect(found[10]).toBeLessThan(150);
  });

  test("Orderings prefers pairs that conflict, and never pairs steps of one source", async () => {
    const drawn: Ordering[] = [];
    const strategy = new Orderings(seed, "spec");
    const steps = (own: string): EventStep[] => [
      ["1", nothing, { touches: { writes: [own] } }],
      ["2", nothing, { touches: { writes: [own] } }],
      ["3", nothing, { touches: { writes: ["x"] } }],
    ];
    const program = scenario("conflicts", (world) => {
      drawn.push(...strategy.orderings);
      for (const source of ["a", "b", "c"]) world.events(source, steps(source));
    });
    await sampled(program, strategy, 500);
    const sourceOf = (name: string): string => name.slice(0, 1);
    expect(drawn.filter(({ first, then }) => sourceOf(first) === sourceOf(then))).toEqual([]);
    const conflicting = drawn.filter(({ first, then }) => /:3/.test(first) && /:3/.test(then));
    // One in nine of all pairs.
    expect(conflicting.length / drawn.length).toBeGreaterThan(0.4);
  });

  test("Orderings begins with the first-come schedule, and reaches every order of few deliveries", async () => {
    const words = (await sampled(chains({ a: 2, b: 1, c: 1 }), new Orderings(seed, "spec"), 600)).map(wordOf);
    expect(words[0]).toBe("aabc");
    expect(new Set(words).size).toBe(12);
  });
});
