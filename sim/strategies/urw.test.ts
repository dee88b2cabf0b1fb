import { describe, expect, test } from "vitest";
import { streamSeed } from "../random.ts";
import { scenario } from "../scenario.ts";
import { chains, chiSquare, ranBefore, sampled, wordOf } from "../testing/sampled.ts";
import { RandomWalk } from "./random.ts";
import { urw } from "./urw.ts";

const seed = streamSeed("urw", "schedule");

describe("urw()", () => {
  test("urw() draws every interleaving of two chains equally often, and the random walk does not", async () => {
    const program = chains({ a: 4, b: 3 });
    const uniform = (await sampled(program, urw(seed), 6_000)).slice(1).map(wordOf);
    const walk = (await sampled(program, new RandomWalk(seed, "spec"), 6_000)).slice(1).map(wordOf);
    // 35 interleavings: with 34 degrees of freedom one in 1,000 uniform samples is above 65.
    expect(chiSquare(uniform, 35)).toBeLessThan(65);
    expect(chiSquare(walk, 35)).toBeGreaterThan(1_000);
  });

  test("urw() puts one delivery at each place of a long chain equally often", async () => {
    const executions = await sampled(chains({ a: 40, v: 1 }), urw(seed), 6_000);
    const places = executions.slice(1).map((execution) => `${wordOf(execution).indexOf("v")}`);
    // 41 places: with 40 degrees of freedom one in 1,000 uniform samples is above 73.
    expect(chiSquare(places, 41)).toBeLessThan(73);
  });

  test("urw() does not believe an execution that was cut short", async () => {
    const cancelled = scenario("cancelled", (world) => {
      let stopped = false;
      world.actor("agent", async () => {
        for (let step = 0; step < 8 && !stopped; step++) await world.delay("agent:step");
      });
      world.events("user", [
        [
          "stop",
          () => {
            stopped = true;
          },
        ],
      ]);
    });
    for (let round = 0; round < 10; round++) {
      const executions = await sampled(cancelled, urw(streamSeed(`${round}`, "schedule")), 400);
      const atTheEnd = executions.filter((execution) => ranBefore(execution, "agent:step#8", "user:stop#1"));
      // One in ten of those in which the counts are known; two in a thousand by the random walk.
      expect(atTheEnd.length).toBeGreaterThan(15);
    }
  });

  test("urw() weighs the families of one source where several of them are open at once", async () => {
    const oneSource = scenario("one source", (world) => {
      const chain = async (): Promise<void> => {
        for (let step = 0; step < 20; step++) await world.delay("long");
      };
      void chain();
      void world.delay("victim");
    });
    const executions = await sampled(oneSource, urw(seed), 1_000);
    const last = executions.filter((execution) => ranBefore(execution, "main:long#20", "main:victim#1"));
    // One in 21.
    expect(last.length).toBeGreaterThan(25);
    expect(last.length).toBeLessThan(80);
  });
});
