import { describe, expect, test } from "vitest";
import type { Execution } from "../execution.ts";
import { streamSeed } from "../random.ts";
import { type Scenario, scenario } from "../scenario.ts";
import { namesOf } from "../testing/executions.ts";
import { chains, ranBefore, sampled, wordOf } from "../testing/sampled.ts";
import { Starve } from "./starve.ts";

const seed = streamSeed("starve", "schedule");
const starved = (subject: Scenario, executions: number): Promise<readonly Execution[]> =>
  sampled(subject, new Starve(seed), executions, { detailed: true });

describe("Starve", () => {
  test.each([0, 1, 2, 3])(
    "Starve runs a chain of 40 before source %i of four, within as many executions",
    async (place) => {
      const lengths: Record<string, number> = {};
      for (let source = 0; source < 4; source++) lengths[`s${source}`] = source === place ? 1 : 14;
      const executions = await starved(chains(lengths), 4);
      const last = executions.filter((execution) => namesOf(execution).at(-1) === `s${place}:1#1`);
      expect(last.length).toBeGreaterThan(0);
    },
  );

  test("Starve holds each source from each of its deliveries on, once", async () => {
    const words = (await starved(chains({ a: 3, b: 2, c: 1 }), 6)).map(wordOf);
    expect(words).toEqual(["bbcaaa", "aaacbb", "aaabbc", "abbcaa", "aaabcb", "aabbca"]);
  });

  test("Starve.heldFrom tells how far the sweep is, and null at its end", async () => {
    const strategy = new Starve(seed);
    const held: (number | null)[] = [];
    const program = scenario("watched", (world) => {
      held.push(strategy.heldFrom);
      world.events(
        "a",
        ["1", "2", "3"].map((label) => [label, () => undefined]),
      );
      world.events("b", [["1", () => undefined]]);
    });
    await sampled(program, strategy, 6);
    // As the execution that was just prepared leaves it.
    expect(held).toEqual([0, 1, 2, null, null, null]);
  });

  test("Starve runs whoever is held only where nobody else can be", async () => {
    const program = scenario("held", (world) => {
      for (const source of ["a", "b", "c"]) {
        world.actor(source, async () => {
          for (let step = 0; step < 4; step++) await world.delay("step");
        });
      }
    });
    // Three from the beginning, and then from each of four more deliveries on.
    const executions = await starved(program, 15);
    const victims = ["a", "b", "c"];
    for (const [at, { steps }] of executions.entries()) {
      const victim = victims[at % 3];
      const own = steps.filter(({ source }) => source === victim).slice(Math.floor(at / 3));
      expect(own.length).toBe(5 - Math.floor(at / 3));
      for (const { possible } of own) expect(possible.filter((name) => !name.startsWith(`${victim}:`))).toEqual([]);
    }
  });

  test("Starve holds families where several of one source are open at once", async () => {
    const one = scenario("one source", (world) => {
      const chain = async (): Promise<void> => {
        for (let step = 0; step < 40; step++) await world.delay("long");
      };
      void world.delay("victim");
      void chain();
    });
    const executions = await starved(one, 4);
    expect(executions.some((execution) => ranBefore(execution, "main:long#40", "main:victim#1"))).toBe(true);
  });

  test("Starve holds who appears only in some executions", async () => {
    let executions = 0;
    const sometimes = scenario("sometimes", (world) => {
      if (executions++ > 3) world.events("guest", [["1", () => undefined]]);
      world.events(
        "a",
        Array.from({ length: 10 }, (_, at) => [`${at}`, () => undefined]),
      );
    });
    const words = (await starved(sometimes, 20)).map((execution) => namesOf(execution).at(-1));
    expect(words).toContain("guest:1#1");
  });

  test("Starve draws windows of every length, in first-come executions and in random walks", async () => {
    const executions = (await starved(chains({ a: 1, b: 64 }), 1_000)).slice(66);
    const places = executions.map((execution) => wordOf(execution).indexOf("a"));
    // Held from the beginning of a first-come execution, for 1, 2, 4 … deliveries.
    for (const length of [1, 2, 4, 8, 16, 32, 64]) expect(places).toContain(length);
    // In a random walk.
    expect(places).toContain(3);
  });
});
