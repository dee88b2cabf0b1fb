import fc from "fast-check";
import { expect, test } from "vitest";
import type { Execution } from "../sim/execution.ts";
import { type Schedule, ScheduleChooser } from "../sim/schedule.ts";
import { briefScheduleOf, scheduleOf } from "./orderings.ts";
import { isSameViolation, shrink } from "./shrink.ts";
import { judgedRuns, planted } from "./testing/judged-runs.ts";
import { runToy, type ToyScenario, type ToySettings } from "./testing/toy-engine.ts";
import { listChooser, programs, worldOf } from "./testing/toy-programs.ts";

const spec: ToySettings = { jitter: false, most: 0 };
const jitter: ToySettings = { jitter: true, most: 6 };

/** Every schedule with exactly one thing taken away. */
function withOneLess({ orderings, faults, data }: Schedule): Schedule[] {
  const without = <T>(list: readonly T[], at: number): T[] => list.filter((_, index) => index !== at);
  return [
    ...orderings.map((_, at) => ({ orderings: without(orderings, at), faults, data })),
    ...faults.map((_, at) => ({ orderings, faults: without(faults, at), data })),
    ...data.flatMap((value, at) => (value === 0 ? [] : [{ orderings, faults, data: data.with(at, 0) }])),
  ];
}

test("shrink() ends in a failing schedule from which nothing single can be taken", async () => {
  const picks = fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 3 });
  const ticks = fc.constantFrom(0, 0, 1, 3);
  await fc.assert(
    fc.asyncProperty(
      programs,
      fc.array(fc.nat({ max: 60 })),
      fc.boolean(),
      picks,
      ticks,
      async (program, numbers, late, picks, ticks) => {
        const settings = late ? jitter : spec;
        const names = runToy(worldOf(program), listChooser(numbers), settings).steps.map(({ name }) => name);
        const pairs = picks.map(([one, other]) => {
          const [a = 0, b = 0] = [one % names.length, other % names.length].sort((x, y) => x - y);
          return { first: names[a] ?? "", then: names[b] ?? "" };
        });
        const { choose, runs } = judgedRuns(worldOf(program), settings, pairs, ticks);
        const failing = choose(listChooser(numbers));
        fc.pre(failing.violation !== null);
        const shrunk = await shrink(failing, runs, 5_000);
        if (shrunk === null) throw new Error("the complete schedule does not fail again");
        expect(shrunk.minimal).toBe(true);
        expect(await runs(shrunk.schedule)).toEqual(shrunk.execution);
        expect(shrunk.execution.violation).toEqual(planted);
        for (const less of withOneLess(shrunk.schedule)) expect((await runs(less)).violation).toBeNull();
        for (const { first, then } of shrunk.schedule.orderings) {
          const order = shrunk.execution.steps.map(({ name }) => name);
          expect(order).toContain(first);
          if (order.includes(then)) expect(order.indexOf(first)).toBeLessThan(order.indexOf(then));
        }
      },
    ),
    { numRuns: 300 },
  );
});

// Six writers; the reader must come before the third of them, or nothing happens.
const crowd: ToyScenario = (toy) => {
  for (let index = 0; index < 6; index++) toy.io("writer", `w${index}`, () => {}, { mayFail: true });
  toy.events("reader", [["read", () => toy.choose("page", 3)]]);
};
const pair = { first: "reader:read#1", then: "writer:w2#1" };

test("shrink() keeps the one ordering that matters", async () => {
  const { choose, runs } = judgedRuns(crowd, spec, [pair]);
  const failing = choose(listChooser([5, 1, 4, 1, 3, 1, 3, 1, 1]));
  expect(scheduleOf(failing).orderings.length).toBeGreaterThan(8);
  const shrunk = await shrink(failing, runs, 1_000);
  expect(shrunk).toMatchObject({ schedule: { orderings: [pair], faults: [], data: [] }, minimal: true });
  expect(shrunk?.executions).toBeLessThan(40);
});

test("shrink() takes off a late arrival every tick that it does not need, and keeps its anchor", async () => {
  const { choose, runs } = judgedRuns(crowd, jitter, [pair], 2);
  const failing = choose(listChooser([0, 0, 6, 5]));
  expect(failing.violation).toEqual(planted);
  const shrunk = await shrink(failing, runs, 1_000);
  expect(shrunk?.schedule.faults).toEqual([{ at: "reader:read#1", kind: "late", arg: 2 }]);
});

test("shrink() prefers orderings over a late arrival", async () => {
  const { choose, runs } = judgedRuns(crowd, jitter, [pair]);
  const failing = choose(listChooser([0, 0, 6, 5]));
  const shrunk = await shrink(failing, runs, 1_000);
  expect(shrunk?.schedule).toEqual({ orderings: [pair], faults: [], data: [] });
});

test("shrink() names the earliest delivery that has to come first", async () => {
  const { choose, runs } = judgedRuns(crowd, spec, [{ first: "writer:w1#1", then: "writer:w0#1" }]);
  // Recorded: w1, w3 and w5 overtook w0. Holding w0 until w5 fails too, but w1 is what matters.
  const failing = choose(listChooser([1, 0, 2, 0, 3, 0]));
  expect(failing.steps.slice(0, 4).map(({ name }) => name.slice(7, 9))).toEqual(["w1", "w3", "w5", "w0"]);
  const shrunk = await shrink(failing, runs, 1_000);
  expect(shrunk?.schedule.orderings).toEqual([{ first: "writer:w1#1", then: "writer:w0#1" }]);
});

test("shrink() tries all late arrivals away at once, before each alone", async () => {
  const { choose } = judgedRuns(crowd, jitter, []);
  // Fails with none or with two late arrivals, never with one.
  const judge = (execution: Execution): Execution => {
    const late = execution.steps.filter(({ tick }) => tick > 0).length;
    return { ...execution, violation: late === 1 ? null : planted };
  };
  const failing = judge(choose(listChooser([0, 0, 1, 0, 0, 0, 0, 0, 1, 0])));
  expect(failing.faults.filter(({ kind }) => kind === "late")).toHaveLength(2);
  const shrunk = await shrink(failing, async (schedule) => judge(choose(new ScheduleChooser(schedule))), 1_000);
  expect(shrunk?.schedule).toEqual({ orderings: [], faults: [], data: [] });
});

test("shrink() takes a first-come failure down to nothing", async () => {
  const { choose, runs } = judgedRuns(crowd, spec, [{ first: "writer:w0#1", then: "writer:w1#1" }]);
  const shrunk = await shrink(choose(listChooser([3, 0, 2, 1])), runs, 1_000);
  expect(shrunk?.schedule).toEqual({ orderings: [], faults: [], data: [] });
});

test("shrink() says when its limit ended it, and never runs more", async () => {
  const { choose, runs } = judgedRuns(crowd, spec, [pair]);
  const failing = choose(listChooser([5, 1, 4, 1, 3, 1, 3, 1, 1]));
  for (const limit of [1, 2, 5]) {
    const shrunk = await shrink(failing, runs, limit);
    expect(shrunk).toMatchObject({ minimal: false, executions: limit });
    expect(shrunk?.execution.violation).toEqual(planted);
  }
});

test("shrink() ends with what is smallest by then once it is interrupted", async () => {
  const { choose, runs } = judgedRuns(crowd, spec, [pair]);
  const failing = choose(listChooser([5, 1, 4, 1, 3, 1, 3, 1, 1]));
  for (const last of [1, 2, 5]) {
    const controller = new AbortController();
    let count = 0;
    const until: typeof runs = (schedule) => {
      if (++count === last) controller.abort();
      return runs(schedule);
    };
    const shrunk = await shrink(failing, until, 1_000, briefScheduleOf(failing), controller.signal);
    expect(shrunk).toMatchObject({ minimal: false, executions: last });
    expect(shrunk?.execution.violation).toEqual(planted);
  }
});

test("shrink() refuses an execution that does not fail, and one that does not fail again", async () => {
  const { choose, runs } = judgedRuns(crowd, spec, [pair]);
  expect(await shrink(choose(listChooser([])), runs, 100)).toBeNull();
  const failing = choose(listChooser([6]));
  expect(await shrink(failing, async (schedule) => ({ ...(await runs(schedule)), violation: null }), 100)).toBeNull();
});

test("isSameViolation() compares kind and name, not what was seen", () => {
  expect(isSameViolation(planted, { ...planted, detail: "else", at: "a:b#1" })).toBe(true);
  expect(isSameViolation(planted, { ...planted, name: "else" })).toBe(false);
  expect(isSameViolation(planted, { ...planted, kind: "stuck" })).toBe(false);
  expect(isSameViolation(planted, null)).toBe(false);
});
