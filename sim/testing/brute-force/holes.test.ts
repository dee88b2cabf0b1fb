import { expect, test } from "vitest";
import { scenario, type Touches } from "../../scenario.ts";
import { byClass, orderOf } from "./classes.ts";
import { everyOrder } from "./every-order.ts";
import { holesIn } from "./holes.ts";
import type { Told } from "./told.ts";

/** Two events that append to one list, whatever they declare. */
async function appended(touches: Touches, look?: () => unknown): Promise<readonly Told[]> {
  let list: unknown[] = [];
  const subject = {
    scenario: scenario("appended", (world) => {
      list = [];
      world.events("a", [["one", () => list.push("a"), { touches }]]);
      world.events("b", [["one", () => list.push(look === undefined ? "b" : look()), { touches }]]);
    }),
    state: () => list.join(),
  };
  return (await everyOrder(subject, 10)) ?? [];
}

test("holesIn() reports a declaration that leaves something out", async () => {
  expect(holesIn(byClass(await appended({ writes: ["list"] })))).toEqual([]);
  const found = holesIn(byClass(await appended({})));
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(/^One class, two outcomes.*state a,b.*state b,a$/s);
});

test("holesIn() reports independent neighbours that are not possible the other way, or are of another class", async () => {
  const [first, second] = await appended({});
  if (first === undefined || second === undefined) throw new RangeError("expected two orders");
  const same = { ...second, state: first.state };
  expect(holesIn(byClass([first, same]))).toEqual([]);
  expect(holesIn(byClass([first]))).toEqual([expect.stringContaining("not possible the other way")]);
  const classes = new Map([first, same].map((told) => [orderOf(told), [told]]));
  expect(holesIn(classes)).toEqual(Array(2).fill(expect.stringContaining("of another class")));
});
