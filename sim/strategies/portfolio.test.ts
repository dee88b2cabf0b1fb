import { describe, expect, test } from "vitest";
import { Coverage } from "../race-coverage.ts";
import { streamSeed } from "../random.ts";
import type { StrategyName } from "../result.ts";
import { type Scenario, scenario } from "../scenario.ts";
import { search } from "../search.ts";
import { sampled } from "../testing/sampled.ts";
import { Portfolio } from "./portfolio.ts";

const nothing = (): void => undefined;

/** Sources that touch one thing each, or nobody knows what. */
function flows(sources: number, deliveries: number, touches: (source: number) => string | null): Scenario {
  return scenario("flows", (world) => {
    for (let source = 0; source < sources; source++) {
      const name = touches(source);
      const options = name === null ? {} : { touches: { writes: [name] } };
      const steps = Array.from({ length: deliveries }, (_, step) => [`${step}`, nothing, options] as const);
      world.events(`s${source}`, steps);
    }
  });
}

async function turnsOf(subject: Scenario, executions: number): Promise<Record<string, number>> {
  const context = { seed: streamSeed("seed", "schedule"), level: "spec", jitterTicks: null, executions } as const;
  const portfolio = new Portfolio({ ...context, coverage: new Coverage() });
  const turns: Partial<Record<StrategyName, number>> = {};
  const { next } = portfolio;
  portfolio.next = (index) => {
    const chooser = Reflect.apply(next, portfolio, [index]);
    turns[portfolio.active] = (turns[portfolio.active] ?? 0) + 1;
    return chooser;
  };
  await sampled(subject, portfolio, executions);
  return turns;
}

describe("Portfolio", () => {
  test("Portfolio starves each source once, then lets all others take turns where there is too much to exhaust", async () => {
    const turns = await turnsOf(
      flows(5, 6, () => null),
      1_000,
    );
    const { starve = 0, placement = 0, surw = 0, urw = 0, random = 0, orderings = 0, pct = 0 } = turns;
    expect(turns.dpor).toBeUndefined();
    expect(starve).toBeGreaterThanOrEqual(5);
    expect(placement).toBeLessThanOrEqual(250);
    for (const turn of [placement, surw, urw, random, orderings, pct]) expect(turn).toBeGreaterThan(50);
  });

  test("Portfolio exhausts classes that fit into the budget, however many orders they have", async () => {
    // More than ten million orders, and nothing that conflicts.
    const found = await search(
      flows(4, 6, (source) => `own ${source}`),
      { executions: 500 },
    );
    expect(found).toMatchObject({ outcome: "held", certificate: { classes: 1, of: "classes" } });
    expect(found.executions).toBeLessThan(100);
  });

  test("Portfolio samples to the end where the classes do not fit", async () => {
    const found = await search(
      flows(4, 6, () => "shared"),
      { executions: 500 },
    );
    expect(found).toMatchObject({ outcome: "held", certificate: null, executions: 500 });
  });

  test("Portfolio turns to partial order sampling where few pairs conflict", async () => {
    const some = flows(8, 6, (source) => (source < 3 ? "shared" : `own ${source}`));
    const found = await search(some, { executions: 1_000, strategy: "portfolio" });
    if (found.outcome !== "held") throw new Error(found.outcome);
    expect(found.races.bothOrders).toBe(found.races.pairs);
  });
});
