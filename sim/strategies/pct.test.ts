import { describe, expect, test } from "vitest";
import type { Execution } from "../execution.ts";
import { streamSeed } from "../random.ts";
import { scenario } from "../scenario.ts";
import { namesOf } from "../testing/executions.ts";
import { chains, countsOf, ranBefore, sampled, wordOf } from "../testing/sampled.ts";
import { PctChooser, pct } from "./pct.ts";
import { Sampling } from "./sampling.ts";

const seed = streamSeed("pct", "schedule");
const executions = 4_000;
const withPoints = (points: number): Sampling => new Sampling("pct", new PctChooser(seed, points));

/** Four sources of five deliveries each. */
const program = chains({ a: 5, b: 5, c: 5, d: 5 });
const sources = 4;
const deliveries = 20;

/** Bugs by their depth: how many orderings make them. */
const bugs: Readonly<Record<number, (execution: Execution) => boolean>> = {
  1: (execution) => ranBefore(execution, "c:5#1", "a:1#1"),
  2: (execution) => ranBefore(execution, "a:2#1", "b:3#1") && ranBefore(execution, "b:3#1", "a:3#1"),
  3: (execution) => bugs[2]?.(execution) === true && ranBefore(execution, "c:2#1", "b:2#1"),
};

describe("pct()", () => {
  test.each([1, 2, 3])("pct() finds a bug of depth %i at least as often as the paper promises", async (depth) => {
    const told = await sampled(program, withPoints(depth - 1), executions);
    const found = told.filter((execution) => bugs[depth]?.(execution) === true).length;
    expect(found / executions).toBeGreaterThanOrEqual(1 / (sources * deliveries ** (depth - 1)));
  });

  test("pct() without change points runs each source to its end, in any order of sources", async () => {
    const words = (await sampled(program, withPoints(0), 1_000)).map(wordOf);
    expect(words.filter((word) => !/^(?:([a-d])\1{4}){4}$/.test(word))).toEqual([]);
    const counts = [...countsOf(words).values()];
    expect(counts.length).toBe(24);
    expect(Math.min(...counts)).toBeGreaterThan(15);
  });

  test("pct() draws 0 to 3 change points", async () => {
    const told = await sampled(chains({ a: 20, b: 20, c: 20 }), pct(seed), 2_000);
    /** How often it went on with another source than before. */
    const switches = told.slice(1).map((execution) => `${wordOf(execution).replace(/(.)\1*/g, "-").length - 3}`);
    const counts = countsOf(switches);
    expect([...counts.keys()].sort()).toEqual(["0", "1", "2", "3"]);
    for (const count of counts.values()) expect(count).toBeGreaterThan(50);
  });

  test("pct() gives the families of one source priorities, too", async () => {
    const one = scenario("one source", (world) => {
      for (const label of ["x", "y", "z"]) void world.delay(label);
    });
    const orders = (await sampled(one, pct(seed), 200)).map((execution) => namesOf(execution).join());
    expect(new Set(orders).size).toBe(6);
  });
});
