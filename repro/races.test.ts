import { expect, test } from "vitest";
import { scenario } from "../sim/scenario.ts";
import { explore } from "./explore.ts";

const two = scenario("two reads", (world) => {
  world.io("a:read", () => null);
  world.io("b:write", () => null);
});

test("explore() says by line which races it has seen in one order only", async () => {
  const found = await explore(two, { strategy: "first-come" });
  if (found.outcome !== "held") throw new Error(found.outcome);
  const at = { file: "repro/races.test.ts", column: 9 };
  expect(found.races).toEqual({
    pairs: 1,
    bothOrders: 0,
    oneOrder: [{ first: "a:read", then: "b:write", firstAt: { ...at, line: 6 }, thenAt: { ...at, line: 7 } }],
  });
});

const mixed = scenario("one of two declares", (world) => {
  world.io("a:read", () => null, { touches: { reads: ["x"] } });
  world.io("b:call", () => null);
});

test("explore() says by line where precision was lost for want of a declaration", async () => {
  const found = await explore(mixed, { strategy: "first-come" });
  if (found.outcome !== "held") throw new Error(found.outcome);
  const at = { file: "repro/races.test.ts", column: 9, line: 23 };
  expect(found.races.undeclared).toEqual({ families: 1, told: [{ name: "b:call", at }] });
});
