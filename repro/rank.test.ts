import fc from "fast-check";
import { expect, test } from "vitest";
import { RankChooser } from "./rank.ts";
import { runToy, type ToyScenario, type ToySettings } from "./testing/toy-engine.ts";
import { listChooser, programs, worldOf } from "./testing/toy-programs.ts";

const spec: ToySettings = { jitter: false, most: 0 };
const jitter: ToySettings = { jitter: true, most: 5 };

test("RankChooser repeats an execution from the names of its deliveries, its faults and data", () => {
  fc.assert(
    fc.property(programs, fc.array(fc.nat({ max: 60 })), fc.boolean(), (program, numbers, late) => {
      const settings = late ? jitter : spec;
      const recorded = runToy(worldOf(program), listChooser(numbers), settings);
      const order = recorded.steps.map(({ name }) => name);
      expect(runToy(worldOf(program), new RankChooser(order, recorded.faults, recorded.data), settings)).toEqual(
        recorded,
      );
    }),
    { numRuns: 1_000 },
  );
});

const three: ToyScenario = (toy) => {
  for (const label of ["a", "b", "c"]) toy.io("x", label, () => {});
};

function orderUnder(chooser: RankChooser, settings = spec): string[] {
  return runToy(three, chooser, settings).steps.map(({ name, tick }) => (tick > 0 ? `${name} late` : name));
}

test("RankChooser delivers what is not in the list last, first-come", () => {
  expect(orderUnder(new RankChooser(["x:c#1"], [], []))).toEqual(["x:c#1", "x:a#1", "x:b#1"]);
  expect(orderUnder(new RankChooser(["x:never#1", "x:b#1"], [], []))).toEqual(["x:b#1", "x:a#1", "x:c#1"]);
});

test("RankChooser lets a late delivery into a drain only when it stands next", () => {
  const faults = [{ at: "x:c#1", kind: "late", arg: 2 }] as const;
  expect(orderUnder(new RankChooser(["x:a#1", "x:c#1", "x:b#1"], faults, []), jitter)).toEqual([
    "x:a#1",
    "x:c#1 late",
    "x:b#1",
  ]);
  expect(orderUnder(new RankChooser(["x:c#1", "x:a#1", "x:b#1"], faults, []), jitter)).toEqual([
    "x:c#1",
    "x:a#1",
    "x:b#1",
  ]);
  expect(orderUnder(new RankChooser(["x:a#1", "x:b#1", "x:c#1"], faults, []), jitter)).toEqual([
    "x:a#1",
    "x:b#1",
    "x:c#1 late",
  ]);
});

test("RankChooser knows what stands next, also after the list was not followed", () => {
  // d comes first in the list, but is only asked for by a: so a runs ahead of it.
  const waits: ToyScenario = (toy) => {
    toy.io("x", "a", () => toy.io("x", "d", () => {}));
    for (const label of ["b", "c"]) toy.io("x", label, () => {});
  };
  const faults = [{ at: "x:b#1", kind: "late", arg: 1 }] as const;
  const chooser = new RankChooser(["x:d#1", "x:a#1", "x:c#1", "x:b#1"], faults, []);
  const steps = runToy(waits, chooser, jitter).steps.map(({ name, tick }) => (tick > 0 ? `${name} late` : name));
  expect(steps).toEqual(["x:a#1", "x:d#1", "x:c#1", "x:b#1 late"]);
});
