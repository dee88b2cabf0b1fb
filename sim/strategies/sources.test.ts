import { expect, test } from "vitest";
import type { PossibleDelivery } from "../execution.ts";
import { Sources } from "./sources.ts";

const delivery = (source: string, family: number): PossibleDelivery => ({
  name: `${source}:x#1`,
  source,
  kind: "io",
  family: { id: family, label: "x" },
  touches: null,
  observed: null,
});

test("Sources.idOf() numbers sources as they are met, whatever their families", () => {
  const sources = new Sources();
  const asked = [delivery("b", 7), delivery("a", 100), delivery("b", 8), delivery("c", 1), delivery("b", 7)];
  expect(asked.map((each) => sources.idOf(each))).toEqual([0, 1, 0, 2, 0]);
  expect(sources.count).toBe(3);
});
