import { describe, expect, test } from "vitest";
import type { TraceStep } from "./execution.ts";
import { own, touch } from "./owned.ts";
import { Coverage } from "./race-coverage.ts";
import type { StrategyName } from "./result.ts";
import { type Scenario, scenario } from "./scenario.ts";
import { search } from "./search.ts";

const two = scenario("two flows", (world) => {
  world.io("a:read", () => null, { touches: { reads: ["x"] } });
  world.io("b:write", () => null, { touches: { writes: ["x"] } });
  world.io("c:other", () => null, { touches: { writes: ["y"] } });
});

describe("Coverage", () => {
  test("Coverage tells pairs that were seen in one order", async () => {
    const found = await search(two, { strategy: "first-come" });
    if (found.outcome !== "held") throw new Error(found.outcome);
    expect(found.races.pairs).toBe(1);
    expect(found.races.bothOrders).toBe(0);
    const [pair] = found.races.oneOrder;
    expect([pair?.first, pair?.then]).toEqual(["a:read", "b:write"]);
  });

  test("Coverage counts a pair once both orders were seen, and leaves independent ones out", async () => {
    const found = await search(two, { strategy: "depth-first" });
    if (found.outcome !== "held") throw new Error(found.outcome);
    expect(found.races).toEqual({ pairs: 1, bothOrders: 1, oneOrder: [] });
  });

  test("Coverage takes what is undeclared for a conflict with everything", async () => {
    const bare = scenario("bare", (world) => {
      for (const name of ["a", "b", "c"]) world.actor(name, () => world.delay("work"));
    });
    const found = await search(bare, { strategy: "depth-first" });
    if (found.outcome !== "held") throw new Error(found.outcome);
    expect(found.races.pairs).toBe(found.races.bothOrders);
    // Three starts among each other, three works among each other, and each work with the starts of the two others.
    expect(found.races.pairs).toBe(3 + 3 + 6);
  });

  // A harness that sees all that its subject does declares nothing to be touched, and says itself what is.
  test.each(["first-come", "random", "depth-first"] as const)(
    "Coverage counts what is only seen to conflict, by %s",
    async (strategy) => {
      const owned = scenario("declared apart, and seen together", (world) => {
        const recording = {};
        own(recording);
        for (const name of ["a", "b"]) world.io(`${name}:call`, () => touch(recording), { touches: {} });
        world.io("c:call", () => null, { touches: {} });
      });
      const { races } = await held(owned, strategy);
      expect(races.pairs).toBe(1);
      expect(races.bothOrders).toBe(strategy === "first-come" ? 0 : 1);
      const told = races.oneOrder.map(({ first, then }) => [first, then]);
      expect(told).toEqual(strategy === "first-come" ? [["a:call", "b:call"]] : []);
    },
  );

  test("Coverage counts as conflicting what is first seen to be late in a campaign, with the orders seen before", () => {
    const families = ["a", "b", "c"].map((name, id) => ({
      ...{ name: `${name}:call#1`, source: name, kind: "io" as const, family: { id, label: `${name}:call` } },
      ...{ touches: {}, observed: null },
    }));
    const coverage = new Coverage();
    const step = (name: string, reads: string[], writes: string[]): Pick<TraceStep, "name" | "observed"> => ({
      name: `${name}:call#2`,
      observed: { reads, writes },
    });
    coverage.chose(families, 3, 0);
    coverage.chose(families, 3, 1);
    coverage.learn([step("a", ["x"], []), step("b", ["x"], []), step("c", [], ["y"])]);
    expect([coverage.size, coverage.fewConflict]).toEqual([0, true]);
    coverage.learn([step("b", [], ["x"])]);
    expect(coverage.tell(() => null)).toEqual({ pairs: 1, bothOrders: 1, oneOrder: [] });
    coverage.learn([step("c", ["x"], [])]);
    expect(coverage.unseen()).toEqual([{ first: "c:call#1", then: "b:call#1" }]);
    expect(coverage.fewConflict).toBe(false);
  });

  test("Coverage says where precision was lost: who declares nothing beside those that do", async () => {
    const mixed = scenario("mixed", (world) => {
      world.io("a:read", () => null, { touches: { reads: ["x"] } });
      for (let at = 0; at < 70; at++) world.io(`bare:${at}`, () => null);
      setTimeout(() => undefined, 10);
    });
    for (const strategy of ["first-come", "random"] as const) {
      const { races } = await held(mixed, strategy);
      expect(races.undeclared).toMatchObject({ families: 71, told: { length: 20 } });
      expect(races.undeclared?.told[0]?.name).toBe("bare:0");
    }
  });

  test("Coverage speaks of no lost precision where everything is declared, or nothing, or one is alone", async () => {
    const alone = scenario("alone", (world) => {
      world.io("a:read", () => null, { touches: {} }).then(() => world.io("a:next", () => null));
    });
    const bare = scenario("bare", (world) => {
      for (const name of ["a", "b"]) world.io(`${name}:call`, () => null);
    });
    for (const subject of [two, alone, bare]) {
      expect(Object.keys((await held(subject, "depth-first")).races)).toEqual(["pairs", "bothOrders", "oneOrder"]);
    }
  });

  test("Coverage holds the names of hundreds of families", async () => {
    const many = scenario("many", (world) => {
      for (let at = 0; at < 150; at++) world.actor(`a${at}`, () => undefined);
    });
    const found = await search(many, { strategy: "first-come" });
    if (found.outcome !== "held") throw new Error(found.outcome);
    expect(found.races.pairs).toBe((150 * 149) / 2);
    expect(found.races.oneOrder).toHaveLength(20);
    expect(found.races.oneOrder[0]).toMatchObject({ first: "a0:start", then: "a1:start" });
  });
});

type Held = Extract<Awaited<ReturnType<typeof search>>, { readonly outcome: "held" }>;

async function held(subject: Scenario, strategy: StrategyName): Promise<Held> {
  const found = await search(subject, { strategy, executions: 50 });
  if (found.outcome !== "held") throw new Error(found.outcome);
  return found;
}
