import { describe, expect, test } from "vitest";
import { Coverage } from "../race-coverage.ts";
import { streamSeed } from "../random.ts";
import { scenario } from "../scenario.ts";
import { firstCome } from "../testing/executions.ts";
import { ranBefore, sampled } from "../testing/sampled.ts";
import { UnseenOrders } from "./unseen-orders.ts";
import { urw } from "./urw.ts";

const seed = streamSeed("seed", "schedule");
const three = scenario("three", (world) => {
  for (const name of ["a", "b", "c"]) {
    world.events(name, [
      ["one", () => undefined],
      ["two", () => undefined],
    ]);
  }
});

function delivery(name: string, id: number) {
  const [source = "", label = ""] = name.split(/[:#]/);
  return { name, source, kind: "event", family: { id, label }, touches: null, observed: null } as const;
}

describe("UnseenOrders", () => {
  test("UnseenOrders tries a pair in the order that was never seen", async () => {
    const coverage = new Coverage();
    coverage.chose([delivery("a:one#1", 1), delivery("c:two#1", 2)], 2, 0);
    const strategy = new UnseenOrders(seed, coverage, urw(seed).chooser);
    const executions = await sampled(three, strategy, 20);
    expect(executions).toHaveLength(20);
    expect(executions.filter((execution) => !ranBefore(execution, "c:two#1", "a:one#1"))).toEqual([]);
    // Half of them walk elsewhere, so they are not all one schedule.
    expect(new Set(executions.map(({ steps }) => steps.map(({ name }) => name).join())).size).toBeGreaterThan(5);
  });

  test("UnseenOrders has nothing to try while no race was seen in one order only", async () => {
    const strategy = new UnseenOrders(seed, new Coverage(), urw(seed).chooser);
    expect(strategy.next(0)).toBeNull();
    expect((await firstCome(three)).violation).toBeNull();
  });
});
