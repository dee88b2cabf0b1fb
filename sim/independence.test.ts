/** The schedule's random numbers are independent of those that the code under test draws: neither changes the other. */
import { randomInt } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ExploreOptions } from "./result.ts";
import { scenario, type World } from "./scenario.ts";
import { search } from "./search.ts";

const labels = ["a", "b", "c", "d"];

type Seen = { readonly drawn: readonly number[]; readonly order: readonly string[] };

/** What each execution draws in its body, and in which order it places four deliveries. */
async function seen(
  draw: (world: World, execution: number) => readonly number[],
  options: ExploreOptions,
): Promise<readonly Seen[]> {
  const all: Seen[] = [];
  const subject = scenario("independent", (world) => {
    const order: string[] = [];
    all.push({ drawn: draw(world, all.length), order });
    for (const label of labels) {
      void world
        .io(label, () => order.push(label))
        .then((place) => {
          // How much is drawn depends on the schedule, too.
          for (let more = 0; label === "a" && more < place; more++) draw(world, all.length);
        });
    }
  });
  expect((await search(subject, { executions: 300, seed: "seed", ...options })).outcome).toBe("held");
  return all;
}

const draws: Record<string, (world: World, execution: number) => number[]> = {
  nothing: () => [],
  "Math.random()": () => [Math.random(), Math.random()],
  "crypto.randomUUID()": () => [globalThis.crypto.randomUUID().length],
  "world.random()": (world) => [world.random(), world.random()],
  // Differently often in each execution.
  everything: (world, execution) =>
    Array.from({ length: execution % 7 }, () => world.random() + Math.random() + randomInt(9)),
};

test.each(["random", "placement", "portfolio"] as const)(
  "%s takes the same choices whatever is drawn",
  async (strategy) => {
    const orders: string[] = [];
    for (const draw of Object.values(draws)) {
      const executions = await seen(draw, { strategy });
      orders.push(executions.map(({ order }) => order.join("")).join(" "));
    }
    expect(new Set(orders).size).toBe(1);
    expect(new Set(orders[0]?.split(" ")).size).toBe(24);
  },
);

test("what is drawn is the same whatever is chosen", async () => {
  const draw = (world: World): number[] => [world.random(), Math.random(), randomInt(2 ** 47)];
  const spec = await seen(draw, { strategy: "random", level: "spec" });
  const jitter = await seen(draw, { strategy: "random", level: "jitter" });
  const orders = (executions: readonly Seen[]): string => executions.map(({ order }) => order.join("")).join(" ");
  expect(orders(spec)).not.toBe(orders(jitter));
  expect(jitter.map(({ drawn }) => drawn)).toEqual(spec.map(({ drawn }) => drawn));
  expect(new Set(spec.map(({ drawn }) => drawn.join())).size).toBeGreaterThanOrEqual(300);
});

test("what one source gives is the same whatever is drawn from the others", async () => {
  const sources: readonly ((world: World) => number)[] = [
    (world) => world.random(),
    () => Math.random(),
    () => randomInt(2 ** 47),
  ];
  const alone = await Promise.all(
    sources.map((source) => seen((world) => [source(world), source(world)], { strategy: "random" })),
  );
  const together = await seen((world) => [0, 1].flatMap(() => sources.map((source) => source(world))), {
    strategy: "random",
  });
  for (const [index, executions] of alone.entries()) {
    expect(together.map(({ drawn }) => [drawn[index], drawn[index + 3]])).toEqual(executions.map(({ drawn }) => drawn));
  }
});

/** Which of the tasks still waiting was taken, at each of the three choices among four. */
function choices(order: readonly string[]): number[] {
  return [0, 1, 2].map((step) =>
    labels.filter((label) => !order.slice(0, step).includes(label)).indexOf(order[step] ?? ""),
  );
}

/** 32 bits from each source, as the schedule's own stream gives them. */
const words: Record<string, (world: World) => number> = {
  "world.random()": (world) => world.random() * 2 ** 32,
  "Math.random()": () => Math.random() * 2 ** 32,
  "crypto.getRandomValues()": () => globalThis.crypto.getRandomValues(new Uint32Array(1))[0] ?? 0,
};

test.each(Object.entries(words))("no choice repeats what %s gives", async (_, word) => {
  const draw = (world: World): number[] => [4, 3, 2].map((count) => word(world) % count);
  const executions = await seen(draw, { strategy: "random", executions: 1_000 });
  const repeated = executions.filter(({ drawn, order }) => choices(order).join() === drawn.join());
  // One in 24, by chance.
  expect(executions.length).toBeGreaterThanOrEqual(1_000);
  expect(Math.abs(repeated.length - executions.length / 24)).toBeLessThan(25);
});

test("fast-check's own scheduler fails this: its choices are the values of the arbitrary beside it", async () => {
  let executions = 0;
  let repeated = 0;
  const values = fc.noBias(fc.tuple(...[3, 2, 1].map((max) => fc.integer({ min: 0, max }))));
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), values, async (scheduler, drawn) => {
      const order: string[] = [];
      for (const label of labels) void scheduler.schedule(Promise.resolve(), label).then(() => order.push(label));
      await scheduler.waitAll();
      executions++;
      if (choices(order).join() === drawn.join()) repeated++;
    }),
    { numRuns: 200, seed: 1 },
  );
  expect([executions, repeated]).toEqual([200, 200]);
});
