import { describe, expect, test } from "vitest";
import { Random } from "./random.ts";
import { Saturation } from "./saturation.ts";
import { scenario } from "./scenario.ts";
import { search } from "./search.ts";

function saturated(executions: number, trace: (execution: number) => number): Saturation {
  const saturation = new Saturation();
  for (let execution = 0; execution < executions; execution++) saturation.ended(trace(execution), 0);
  return saturation;
}

describe("Saturation", () => {
  test("Saturation estimates the chance of a new trace within two hundredths", () => {
    // 500 traces, trace i as likely as 1 / (i + 1): the chance of a new one is known exactly from what is still unseen.
    const weights = Array.from({ length: 500 }, (_, index) => 1 / (index + 1));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const random = new Random([1, 2, 3, 4]);
    const drawn = new Set<number>();
    const draw = (): number => {
      let left = random.fraction() * total;
      const index = weights.findIndex((weight) => {
        left -= weight;
        return left <= 0;
      });
      drawn.add(index);
      return index;
    };
    const saturation = saturated(2_000, draw);
    const unseen = weights.reduce((sum, weight, index) => (drawn.has(index) ? sum : sum + weight / total), 0);
    expect(Math.abs(saturation.chanceOfNews - unseen)).toBeLessThan(0.02);
  });

  test("Saturation is not flat while traces are new, nor early", () => {
    expect(saturated(5_000, (execution) => execution).flat).toBe(false);
    expect(saturated(199, () => 0).flat).toBe(false);
    expect(saturated(200, () => 0).flat).toBe(true);
  });

  test("Saturation is not flat soon after a race was seen in a new order", () => {
    const saturation = new Saturation();
    for (let execution = 0; execution < 1_000; execution++) saturation.ended(0, execution < 900 ? 0 : 1);
    expect(saturation.flat).toBe(false);
    for (let execution = 0; execution < 1_000; execution++) saturation.ended(0, 1);
    expect(saturation.flat).toBe(true);
  });
});

describe("search() until flat", () => {
  const small = (goal: boolean) =>
    scenario("small", (world) => {
      for (const name of ["a", "b", "c"]) world.actor(name, () => world.delay("work"));
      world.sometimes("a goal", () => goal);
    });

  test("search() stops when nothing new is to be expected, and says so", async () => {
    const found = await search(small(true), { strategy: "random", executions: 50_000, until: "flat" });
    expect(found).toMatchObject({ outcome: "held", ended: "flat", certificate: null });
    expect(found.executions).toBeLessThan(5_000);
  });

  test("search() goes on to its budget while a goal is missing", async () => {
    const found = await search(small(false), { strategy: "random", executions: 3_000, until: "flat" });
    expect(found).toMatchObject({ outcome: "held", ended: "spent", executions: 3_000 });
  });

  test("search() spends its budget where nobody asks for less", async () => {
    const found = await search(small(true), { strategy: "random", executions: 3_000 });
    expect(found).toMatchObject({ outcome: "held", ended: "spent", executions: 3_000 });
  });

  test("search() says what ended it: exhausted, stopped", async () => {
    expect(await search(small(true), { strategy: "depth-first" })).toMatchObject({ ended: "exhausted" });
    const controller = new AbortController();
    controller.abort();
    const stopped = await search(small(true), { strategy: "random", signal: controller.signal });
    expect(stopped).toMatchObject({ ended: "stopped" });
  });
});
