import fc from "fast-check";
import { expect, test } from "vitest";
import type { Chooser, Execution } from "../sim/execution.ts";
import { findCriticalPair, swapsBetween } from "./critical-pair.ts";
import { shrink } from "./shrink.ts";
import { judgedRuns, planted } from "./testing/judged-runs.ts";
import { runToy, type ToyScenario, type ToySettings } from "./testing/toy-engine.ts";
import { listChooser, programs, worldOf } from "./testing/toy-programs.ts";

const spec: ToySettings = { jitter: false, most: 0 };
const jitter: ToySettings = { jitter: true, most: 6 };

test("findCriticalPair() finds the two deliveries whose order decides, in every world", async () => {
  await fc.assert(
    fc.asyncProperty(
      programs,
      fc.array(fc.nat({ max: 60 })),
      fc.nat(),
      fc.nat(),
      async (program, numbers, one, other) => {
        const names = runToy(worldOf(program), listChooser(numbers), spec).steps.map(({ name }) => name);
        const [a = 0, b = 0] = [one % names.length, other % names.length].sort((x, y) => x - y);
        const pairs = [{ first: names[a] ?? "", then: names[b] ?? "" }];
        const { choose, runs, chooserRuns } = judgedRuns(worldOf(program), spec, pairs);
        const failing = choose(listChooser(numbers));
        fc.pre(failing.violation !== null);
        const shrunk = await shrink(failing, runs, 5_000);
        fc.pre(shrunk !== null && shrunk.schedule.orderings.length > 0);
        if (shrunk === null) return;
        const found = await findCriticalPair(shrunk.schedule, shrunk.execution, chooserRuns, 500);
        expect(found).not.toBeNull();
        expect(found?.passing.violation).toBeNull();
        expect(found?.failing.violation).toEqual(planted);
        const order = (found?.failing.steps ?? []).map(({ name }) => name);
        expect(order).toContain(found?.pair[0]);
        expect(order.indexOf(found?.pair[0] ?? "")).toBeLessThan(order.indexOf(found?.pair[1] ?? ""));
      },
    ),
    { numRuns: 300 },
  );
});

const crowd: ToyScenario = (toy) => {
  for (let index = 0; index < 6; index++) toy.io("writer", `w${index}`, () => {});
  toy.events("reader", [
    ["read", () => {}],
    ["reread", () => {}],
  ]);
};

test("findCriticalPair() names the pair in the order of the failing schedule, within few executions", async () => {
  const pair = { first: "reader:read#1", then: "writer:w2#1" };
  const { choose, runs, chooserRuns } = judgedRuns(crowd, spec, [pair]);
  const shrunk = await shrink(choose(listChooser([6, 3, 1])), runs, 1_000);
  expect(shrunk?.schedule.orderings).toEqual([pair]);
  if (shrunk === null) return;
  const found = await findCriticalPair(shrunk.schedule, shrunk.execution, chooserRuns, 100);
  expect(found?.pair).toEqual(["reader:read#1", "writer:w2#1"]);
  expect(found?.executions).toBeLessThan(10);
});

test("findCriticalPair() ties a late arrival to its anchor, with a passing side outside of the drain", async () => {
  const { choose, runs, chooserRuns } = judgedRuns(crowd, jitter, [], 2);
  const shrunk = await shrink(choose(listChooser([0, 6, 4])), runs, 1_000);
  if (shrunk === null) throw new Error("it does not fail again");
  expect(shrunk.schedule.faults).toHaveLength(1);
  const found = await findCriticalPair(shrunk.schedule, shrunk.execution, chooserRuns, 100);
  expect(found?.pair).toEqual(["writer:w0#1", shrunk.schedule.faults[0]?.at]);
  expect(found?.passing.steps.every(({ tick }) => tick === 0)).toBe(true);
  expect(found?.passing.violation).toBeNull();
  expect(found?.failing.violation).toEqual(planted);
});

test("findCriticalPair() takes no side for passing that violates something else", async () => {
  const { choose, runs } = judgedRuns(crowd, jitter, [], 2);
  const shrunk = await shrink(choose(listChooser([0, 6, 4])), runs, 1_000);
  if (shrunk === null) throw new Error("it does not fail again");
  const late = shrunk.schedule.faults[0]?.at ?? "";
  const other = { ...planted, name: "something else" };
  // Ahead of its anchor the late delivery breaks something else, so only behind it is left.
  const aheadBreaks = async (chooser: Chooser): Promise<Execution> => {
    const execution = choose(chooser);
    return execution.steps[0]?.name === late ? { ...execution, violation: other } : execution;
  };
  const found = await findCriticalPair(shrunk.schedule, shrunk.execution, aheadBreaks, 100);
  expect(found?.passing.violation).toBeNull();
  expect(found?.passing.steps[0]?.name).toBe("writer:w0#1");
  // And where both sides break something else, no pair is told.
  const bothBreak = async (chooser: Chooser): Promise<Execution> => {
    const execution = choose(chooser);
    return execution.violation === null ? { ...execution, violation: other } : execution;
  };
  expect(await findCriticalPair(shrunk.schedule, shrunk.execution, bothBreak, 100)).toBeNull();
});

test("findCriticalPair() answers null for a first-come failure, and at its limit", async () => {
  const { runs, chooserRuns } = judgedRuns(crowd, spec, [{ first: "writer:w0#1", then: "writer:w1#1" }]);
  const firstCome = { orderings: [], faults: [], data: [] };
  expect(await findCriticalPair(firstCome, await runs(firstCome), chooserRuns, 100)).toBeNull();
  const held = judgedRuns(crowd, spec, [{ first: "reader:read#1", then: "writer:w0#1" }]);
  const schedule = { ...firstCome, orderings: [{ first: "reader:read#1", then: "writer:w0#1" }] };
  const failing = await held.runs(schedule);
  expect(failing.violation).toEqual(planted);
  expect(await findCriticalPair(schedule, failing, held.chooserRuns, 2)).toBeNull();
  expect(await findCriticalPair(schedule, failing, held.chooserRuns, 100)).not.toBeNull();
});

test("swapsBetween() turns one order into the other by neighbours, in as many swaps as there are inversions", () => {
  fc.assert(
    fc.property(
      fc
        .uniqueArray(fc.string(), { maxLength: 12 })
        .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
      ([from, to]) => {
        const order = [...from];
        const swaps = swapsBetween(from, to);
        for (const at of swaps) order.splice(at, 2, ...order.slice(at, at + 2).reverse());
        expect(order).toEqual(to);
        let inversions = 0;
        from.forEach((one, index) => {
          for (const other of from.slice(index + 1)) if (to.indexOf(one) > to.indexOf(other)) inversions++;
        });
        expect(swaps).toHaveLength(inversions);
      },
    ),
  );
});
