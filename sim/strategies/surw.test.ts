import { describe, expect, test } from "vitest";
import type { Execution } from "../execution.ts";
import { streamSeed } from "../random.ts";
import { type EventStep, scenario } from "../scenario.ts";
import { chains, chiSquare, ranBefore, sampled, wordOf } from "../testing/sampled.ts";
import { surw } from "./surw.ts";
import { urw } from "./urw.ts";

const seed = streamSeed("surw", "schedule");
const nothing = (): void => undefined;

/** The sources of those that touch x, in order. */
function orderOfX({ steps }: Execution): string {
  const interesting = steps.filter(({ touches }) => touches?.writes?.includes("x") === true);
  return interesting.map(({ source }) => source).join("");
}

describe("surw()", () => {
  test("surw() draws every interleaving of those that touch the resource equally often, whatever is around", async () => {
    const steps = (own: string, pattern: string): EventStep[] =>
      [...pattern].map((resource, at) => [
        `${at}`,
        nothing,
        { touches: { writes: [resource === "x" ? "x" : `of ${own}`] } },
      ]);
    const program = scenario("selective", (world) => {
      world.events("a", steps("a", "ooooooooxxx"));
      world.events("b", steps("b", "xxxo"));
      world.events("c", steps("c", "oooooo"));
    });
    const selective = (await sampled(program, surw(seed), 6_000)).slice(1).map(orderOfX);
    const uniform = (await sampled(program, urw(seed), 6_000)).slice(1).map(orderOfX);
    // 20 interleavings: with 19 degrees of freedom one in 1,000 uniform samples is above 44.
    expect(chiSquare(selective, 20)).toBeLessThan(44);
    expect(chiSquare(uniform, 20)).toBeGreaterThan(1_000);
  });

  test("surw() takes a resource that is only read, or of one source only, for no race", async () => {
    const step = (label: string, own: string): EventStep => [
      label,
      nothing,
      { touches: { reads: ["config"], writes: [own] } },
    ];
    const readers = scenario("readers", (world) => {
      world.events("a", [step("1", "of a")]);
      world.events("b", [step("1", "of b"), step("2", "of b"), step("3", "of b")]);
    });
    const words = (await sampled(readers, surw(seed), 3_000)).map(wordOf);
    // A random walk: one in eight, and not one in four.
    const last = words.filter((word) => word === "bbba").length;
    expect(Math.abs(last - 3_000 / 8)).toBeLessThan(60);
  });

  test("surw() interleaves two sources where nothing is declared, so one delivery waits for a long chain", async () => {
    const executions = await sampled(chains({ a: 40, b: 5, v: 1 }), surw(seed), 2_000);
    const last = executions.filter((execution) => ranBefore(execution, "a:40#1", "v:1#1"));
    // A third of the executions is about a and v, and v is last in one of 41; the random walk never does that.
    expect(last.length).toBeGreaterThanOrEqual(8);
  });

  test("surw() interleaves two families where there is one source", async () => {
    const oneSource = scenario("one source", (world) => {
      const chain = async (): Promise<void> => {
        for (let step = 0; step < 20; step++) await world.delay("long");
      };
      void chain();
      void world.delay("victim");
    });
    const executions = await sampled(oneSource, surw(seed), 1_000);
    const places = executions.filter((execution) => ranBefore(execution, "main:long#20", "main:victim#1"));
    expect(Math.abs(places.length - 1_000 / 21)).toBeLessThan(25);
  });

  test("surw() goes on when the source that it waits for does not come", async () => {
    let executions = 0;
    const sometimes = scenario("sometimes", (world) => {
      const touches = { writes: ["x"] };
      if (executions++ % 2 === 0) world.events("guest", [["1", nothing, { touches }]]);
      for (const source of ["a", "b"]) world.events(source, [["1", nothing, { touches }]]);
    });
    const words = (await sampled(sometimes, surw(seed), 400)).map(wordOf);
    expect(new Set(words.filter((word) => word.length === 2))).toEqual(new Set(["ab", "ba"]));
    expect(new Set(words.filter((word) => word.length > 2)).size).toBe(6);
  });
});
