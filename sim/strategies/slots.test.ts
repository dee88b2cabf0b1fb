import { expect, test } from "vitest";
import { Slots } from "./slots.ts";

test("Slots keep what was set, however large the id, until they are cleared", () => {
  const slots = new Slots();
  const ids = [0, 15, 16, 17, 1_000, 40, 999_999];
  for (const id of ids) slots.set(id, id + 1);
  expect(ids.map((id) => slots.get(id))).toEqual(ids.map((id) => id + 1));
  expect([1, 18, 5_000_000].map((id) => slots.get(id))).toEqual([0, 0, 0]);
  slots.clear();
  expect(ids.map((id) => slots.get(id))).toEqual(ids.map(() => 0));
});
