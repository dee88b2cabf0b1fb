import fc from "fast-check";
import { expect, test } from "vitest";
import { ScheduleChooser } from "../sim/schedule.ts";
import { briefScheduleOf, overtakersOf, scheduleOf, turnedPairs } from "./orderings.ts";
import { runToy, type ToyScenario, type ToySettings } from "./testing/toy-engine.ts";
import { listChooser, programs, worldOf } from "./testing/toy-programs.ts";

const spec: ToySettings = { jitter: false, most: 0 };
const jitter: ToySettings = { jitter: true, most: 5 };

test("scheduleOf() gives a schedule that repeats the execution exactly, with every ordering met", () => {
  fc.assert(
    fc.property(programs, fc.array(fc.nat({ max: 60 })), fc.boolean(), (program, numbers, late) => {
      const settings = late ? jitter : spec;
      const recorded = runToy(worldOf(program), listChooser(numbers), settings);
      const chooser = new ScheduleChooser(scheduleOf(recorded));
      const again = runToy(worldOf(program), chooser, settings);
      expect(again).toEqual(recorded);
      expect(chooser.outcome(again.left)).toMatchObject({ unmet: [], neverAppeared: [] });
      expect(chooser.missedLate()).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

test("briefScheduleOf() repeats the execution too, with one ordering for each delivery", () => {
  fc.assert(
    fc.property(programs, fc.array(fc.nat({ max: 60 })), fc.boolean(), (program, numbers, late) => {
      const settings = late ? jitter : spec;
      const recorded = runToy(worldOf(program), listChooser(numbers), settings);
      const schedule = briefScheduleOf(recorded);
      expect(runToy(worldOf(program), new ScheduleChooser(schedule), settings)).toEqual(recorded);
      const held = schedule.orderings.map(({ then }) => then);
      expect(held).toHaveLength(new Set(held).size);
      for (const { first, then } of schedule.orderings) expect(overtakersOf(recorded, then).at(-1)).toBe(first);
    }),
    { numRuns: 1_000 },
  );
});

const threeSources: ToyScenario = (toy) => {
  toy.io("agent", "model", () => {}, { mayFail: true });
  toy.io("agent", "write", () => {});
  toy.events("user", [["stop", () => toy.choose("cause", 3)]]);
};

test("scheduleOf() writes nothing for the first-come schedule", () => {
  expect(scheduleOf(runToy(threeSources, listChooser([]), spec))).toEqual({ orderings: [], faults: [], data: [] });
});

test("scheduleOf() names whom a delivery overtook, what struck and what was chosen", () => {
  // Stop goes first and takes option 2; then the model fails.
  expect(scheduleOf(runToy(threeSources, listChooser([2, 2, 0, 1]), spec))).toEqual({
    orderings: [
      { first: "user:stop#1", then: "agent:model#1" },
      { first: "user:stop#1", then: "agent:write#1" },
    ],
    faults: [{ at: "agent:model#1", kind: "fail" }],
    data: [2],
  });
});

test("scheduleOf() ties a late arrival to the delivery in whose drain it comes", () => {
  // The model first and whole; then the user's stop 2 ticks into its drain.
  expect(scheduleOf(runToy(threeSources, listChooser([0, 0, 2, 1]), jitter))).toEqual({
    orderings: [{ first: "agent:model#1", then: "user:stop#1" }],
    faults: [{ at: "user:stop#1", kind: "late", arg: 2 }],
    data: [],
  });
});

test("turnedPairs() names the pairs that two executions have in another order, the closest first", () => {
  const firstCome = runToy(threeSources, listChooser([]), spec);
  const turned = runToy(threeSources, listChooser([2, 0, 1]), spec);
  expect(turned.steps.map(({ name }) => name)).toEqual(["user:stop#1", "agent:write#1", "agent:model#1"]);
  expect(turnedPairs(turned, firstCome, 9)).toEqual([
    { first: "user:stop#1", then: "agent:write#1" },
    { first: "agent:write#1", then: "agent:model#1" },
    { first: "user:stop#1", then: "agent:model#1" },
  ]);
  expect(turnedPairs(turned, firstCome, 1)).toHaveLength(1);
  expect(turnedPairs(firstCome, firstCome, 9)).toEqual([]);
});
