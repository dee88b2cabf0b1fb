import fc from "fast-check";
import { expect, test } from "vitest";
import type { TraceStep } from "../sim/execution.ts";
import { untouchedStep } from "../sim/testing/untouched.ts";
import { decodeChoices, encodeChoices } from "./choices.ts";
import { leadingTo, RecordedOrderChooser } from "./recorded-order.ts";
import { runToy, type ToyScenario, type ToySettings } from "./testing/toy-engine.ts";
import { listChooser, programs, worldOf } from "./testing/toy-programs.ts";

const spec: ToySettings = { jitter: false, most: 0 };
const jitter: ToySettings = { jitter: true, most: 5 };
const bounds = { index: 0, overtakes: 0, stepLimit: 200 };

test("RecordedOrderChooser repeats an execution of the same world, whatever would come first", () => {
  fc.assert(
    fc.property(
      programs,
      fc.array(fc.nat({ max: 60 })),
      fc.boolean(),
      fc.boolean(),
      (program, numbers, late, first) => {
        const settings = late ? jitter : spec;
        const recorded = runToy(worldOf(program), listChooser(numbers), settings);
        const choices = decodeChoices(encodeChoices(recorded, bounds));
        expect(runToy(worldOf(program), new RecordedOrderChooser(choices, () => first), settings)).toEqual(recorded);
      },
    ),
    { numRuns: 500 },
  );
});

test("RecordedOrderChooser comes to an end in any other world", () => {
  fc.assert(
    fc.property(programs, programs, fc.array(fc.nat({ max: 60 })), fc.boolean(), (program, other, numbers, first) => {
      const choices = decodeChoices(encodeChoices(runToy(worldOf(program), listChooser(numbers), jitter), bounds));
      const now = runToy(worldOf(other), new RecordedOrderChooser(choices, () => first), jitter);
      expect(now.steps.every(({ chosen, possible }) => chosen < possible.length)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

const plain: ToyScenario = (toy) => {
  toy.events("ann", [["go", () => toy.io("ann", "note", () => toy.io("ann", "write", () => {}))]]);
  toy.events("bob", [["go", () => toy.io("bob", "note", () => {})]]);
};
/** Each note has another I/O in front of it now, and one comes after. */
const edited: ToyScenario = (toy) => {
  toy.events("ann", [
    ["go", () => toy.io("ann", "ask", () => toy.io("ann", "note", () => toy.io("log", "line", () => {})))],
  ]);
  toy.events("bob", [["go", () => toy.io("bob", "ask", () => toy.io("bob", "note", () => {}))]]);
};

function orderOf(comesFirst: (name: string) => boolean): readonly string[] {
  const recorded = runToy(plain, listChooser([0, 1]), spec);
  const choices = decodeChoices(encodeChoices(recorded, bounds));
  return runToy(edited, new RecordedOrderChooser(choices, comesFirst), spec).steps.map(({ name }) => name);
}

test("RecordedOrderChooser lets what is new come last, first, or first where it leads to what was recorded", () => {
  const recorded = runToy(plain, listChooser([0, 1]), spec);
  expect(recorded.steps.map(({ name }) => name)).toEqual([
    ...["ann:go#1", "bob:go#1", "ann:note#1", "bob:note#1", "ann:write#1"],
  ]);
  expect(orderOf(() => false)).toEqual([
    ...["ann:go#1", "bob:go#1", "ann:ask#1", "ann:note#1", "bob:ask#1", "bob:note#1", "log:line#1"],
  ]);
  expect(orderOf(() => true)).toEqual([
    ...["ann:go#1", "ann:ask#1", "bob:go#1", "bob:ask#1", "ann:note#1", "log:line#1", "bob:note#1"],
  ]);
  const leading = new Set(["ann:ask#1", "bob:ask#1"]);
  expect(orderOf((name) => leading.has(name))).toEqual([
    ...["ann:go#1", "ann:ask#1", "bob:go#1", "bob:ask#1", "ann:note#1", "bob:note#1", "log:line#1"],
  ]);
});

test("leadingTo() follows who asked for whom, through any number of new deliveries", () => {
  const step = (name: string, askedBy: string | null): TraceStep => {
    return { ...untouchedStep, name, askedBy, possible: [name], chosen: 0, tick: 0, fault: null, nowMs: 0, notes: [] };
  };
  const steps = [
    step("ann:go#1", null),
    step("ann:ask#1", "ann:go#1"),
    step("ann:wait#1", "ann:ask#1"),
    step("ann:note#1", "ann:wait#1"),
    step("log:line#1", "ann:note#1"),
  ];
  const now = { opening: [], steps, data: [], violation: null, faults: [], ambiguous: [], left: [] };
  const recorded = decodeChoices(encodeChoices(runToy(plain, listChooser([]), spec), bounds));
  expect([...leadingTo(recorded.steps, now)].sort()).toEqual(["ann:ask#1", "ann:wait#1"]);
});
