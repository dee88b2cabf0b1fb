import { expect, test } from "vitest";
import type { Ordering } from "../sim/result.ts";
import type { Schedule } from "../sim/schedule.ts";
import { findCriticalPair } from "./critical-pair.ts";
import { sharpen } from "./sharpen.ts";
import { judgedRuns, planted } from "./testing/judged-runs.ts";
import type { ToyScenario } from "./testing/toy-engine.ts";

// Two clerks read and then write; each has to be started first.
const clerks: ToyScenario = (toy) => {
  for (const clerk of ["ann", "bob"]) {
    toy.events(clerk, [["start", () => toy.io(clerk, "read", () => toy.io(clerk, "write", () => {}))]]);
  }
};
const lost: readonly Ordering[] = [{ first: "bob:read#1", then: "ann:write#1" }];

async function sharpened(schedule: Schedule, pairs: readonly Ordering[]) {
  const { runs, chooserRuns } = judgedRuns(clerks, { jitter: false, most: 0 }, pairs);
  const failing = await runs(schedule);
  expect(failing.violation).toEqual(planted);
  const pair = await findCriticalPair(schedule, failing, chooserRuns, 100);
  if (pair === null) throw new Error("no pair decides");
  return { pair, sharper: await sharpen(schedule, pair, chooserRuns, 100) };
}

test("sharpen() puts the critical pair in place of an ordering that only leads there", async () => {
  const schedule = { orderings: [{ first: "bob:start#1", then: "ann:read#1" }], faults: [], data: [] };
  const { pair, sharper } = await sharpened(schedule, lost);
  expect(pair.pair).toEqual(["bob:read#1", "ann:write#1"]);
  expect(sharper?.schedule).toEqual({ orderings: lost, faults: [], data: [] });
  expect(sharper?.pair.pair).toEqual(pair.pair);
  expect(sharper?.execution.violation).toEqual(planted);
});

test("sharpen() leaves a schedule alone that says it already", async () => {
  expect((await sharpened({ orderings: lost, faults: [], data: [] }, lost)).sharper).toBeNull();
});

test("sharpen() leaves a schedule alone when the pair by itself is not enough", async () => {
  // Both of bob's steps must come before ann's write, and the swap that decides is about the first of them.
  const schedule = { orderings: [{ first: "bob:write#1", then: "ann:read#1" }], faults: [], data: [] };
  const { pair, sharper } = await sharpened(schedule, [{ first: "bob:write#1", then: "ann:read#1" }]);
  expect(pair.pair).toEqual(["bob:write#1", "ann:read#1"]);
  expect(sharper).toBeNull();
});
