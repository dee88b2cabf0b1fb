import { expect, test } from "vitest";
import { allHolds, HoldKeeper, type Holds, lesserHolds } from "./holds.ts";

/** Takes the first smaller holds that fail until none does, as fast-check does. */
function shrunk(fails: (holds: Holds) => boolean): Holds {
  let best = allHolds;
  for (let next: Holds | undefined = best; next !== undefined; ) {
    best = next;
    next = [...lesserHolds(best)].find(fails);
  }
  return best;
}

const most = (holds: Holds, task: number): number => holds.most[task] ?? (holds.others === "any" ? Infinity : 0);

test("lesserHolds() comes to the least that fails, whichever tasks have to wait and for how long", () => {
  for (const needed of [[], [1], [0, 0, 1], [3, 0, 0, 7], [0, 27], [1, 1, 1], [0, 0, 0, 0, 0, 0, 0, 0, 0, 40, 0, 2]]) {
    const least = shrunk((holds) => needed.every((times, task) => most(holds, task) >= times));
    expect(least).toEqual({ most: needed, others: 0 });
  }
});

test("lesserHolds() of first-come are none, and never the same again", () => {
  expect([...lesserHolds({ most: [], others: 0 })]).toEqual([]);
  const holds: Holds = { most: [2, Number.POSITIVE_INFINITY, 5], others: 0 };
  const lesser = [...lesserHolds(holds)];
  expect(lesser).not.toContainEqual(holds);
  for (const less of lesser)
    for (const task of [0, 1, 2, 3]) expect(most(less, task)).toBeLessThanOrEqual(most(holds, task));
});

test("HoldKeeper lets a task be overtaken as often as it may, and the oldest that may not goes", () => {
  const keeper = new HoldKeeper({ most: [1, 2], others: 0 });
  expect(keeper.choose([1, 2, 3], 2)).toBe(2);
  // Task 1 was overtaken once.
  expect(keeper.choose([1, 2, 4], 2)).toBe(0);
  expect(keeper.choose([2, 4, 5], 1)).toBe(1);
  // Task 2 was overtaken twice.
  expect(keeper.choose([2, 5], 1)).toBe(0);
  // Task 5 is the third that a plan wants overtaken.
  expect(keeper.choose([5, 6], 1)).toBe(0);
  expect(keeper.choose([6, 7], 0)).toBe(0);
});
