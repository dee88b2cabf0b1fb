import { describe, expect, test } from "vitest";
import { scenario } from "./scenario.ts";
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
