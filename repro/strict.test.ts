import fc from "fast-check";
import { expect, test } from "vitest";
import type { Execution } from "../sim/execution.ts";
import { firstComeSchedule, ScheduleChooser } from "../sim/schedule.ts";
import { decodeChoices, encodeChoices } from "./choices.ts";
import { StrictChooser } from "./strict.ts";
import { runToy, type ToyScenario, type ToySettings } from "./testing/toy-engine.ts";
import { listChooser, programs, worldOf } from "./testing/toy-programs.ts";

const spec: ToySettings = { jitter: false, most: 0 };
const jitter: ToySettings = { jitter: true, most: 5 };
const bounds = { index: 0, overtakes: 0, stepLimit: 200 };

function strictOf(execution: Execution): StrictChooser {
  return new StrictChooser(decodeChoices(encodeChoices(execution, bounds)));
}

test("StrictChooser repeats every execution exactly", () => {
  fc.assert(
    fc.property(programs, fc.array(fc.nat({ max: 60 })), fc.boolean(), (program, numbers, late) => {
      const settings = late ? jitter : spec;
      const recorded = runToy(worldOf(program), listChooser(numbers), settings);
      const chooser = strictOf(recorded);
      expect(runToy(worldOf(program), chooser, settings)).toEqual(recorded);
      expect(chooser.firstDifference()).toBeNull();
    }),
    { numRuns: 500 },
  );
});

test("StrictChooser finds a difference exactly where the trace of another world departs", () => {
  fc.assert(
    fc.property(programs, programs, fc.array(fc.nat({ max: 60 })), (program, other, numbers) => {
      const recorded = runToy(worldOf(program), listChooser(numbers), jitter);
      const chooser = strictOf(recorded);
      const now = runToy(worldOf(other), chooser, jitter);
      const bare = ({ steps, data }: Execution): unknown => [
        steps.map((step) => ({ ...step, possible: step.possible.length, notes: [] })),
        data,
      ];
      if (chooser.firstDifference() === null) expect(bare(now)).toEqual(bare(recorded));
      else expect(bare(now)).not.toEqual(bare(recorded));
    }),
    { numRuns: 500 },
  );
});

const two: ToyScenario = (toy) => {
  toy.events("user", [
    ["send", () => toy.io("agent", "model", () => toy.io("agent", "write", () => {}, { mayFail: true }))],
    ["stop", () => toy.note(`${toy.choose("cause", 2)}`)],
  ]);
};

/** Records `two` with the given answers and replays it in a changed world. */
function differenceIn(changed: ToyScenario, numbers: readonly number[], settings: ToySettings = spec): unknown {
  const chooser = strictOf(runToy(two, listChooser(numbers), settings));
  runToy(changed, chooser, settings);
  return chooser.firstDifference();
}

test("StrictChooser names another delivery at the recorded index", () => {
  const renamed: ToyScenario = (toy) => {
    toy.events("user", [
      ["send", () => toy.io("agent", "ask", () => {})],
      ["stop", () => {}],
    ]);
  };
  expect(differenceIn(renamed, [])).toEqual({
    step: 2,
    recorded: "agent:model#1, 2 possible",
    now: "agent:ask#1, 2 possible",
  });
});

test("StrictChooser names another number of possible deliveries", () => {
  const more: ToyScenario = (toy) => {
    two(toy);
    toy.events("ops", [["pause", () => {}]]);
  };
  expect(differenceIn(more, [])).toEqual({
    step: 1,
    recorded: "user:send#1, 1 possible",
    now: "user:send#1, 2 possible",
  });
  const fewer: ToyScenario = (toy) => toy.events("user", [["send", () => toy.io("agent", "model", () => {})]]);
  expect(differenceIn(fewer, [])).toEqual({
    step: 2,
    recorded: "agent:model#1, 2 possible",
    now: "agent:model#1, 1 possible",
  });
});

test("StrictChooser names steps that are missing or extra", () => {
  const shorter: ToyScenario = (toy) =>
    toy.events("user", [
      ["send", () => toy.io("agent", "model", () => {})],
      ["stop", () => toy.note(`${toy.choose("cause", 2)}`)],
    ]);
  // Stop comes second, so that the write is the only thing left.
  expect(differenceIn(shorter, [1])).toEqual({
    step: 4,
    recorded: "agent:write#1, 1 possible",
    now: "the end of the execution",
  });
  const longer: ToyScenario = (toy) => {
    two(toy);
    toy.timer("lib", "timer 5", () => {});
  };
  expect(differenceIn(longer, [1])).toEqual({
    step: 1,
    recorded: "user:send#1, 1 possible",
    now: "lib:timer 5#1, 2 possible",
  });
  const after: ToyScenario = (toy) =>
    toy.events("user", [
      [
        "send",
        () => toy.io("agent", "model", () => toy.io("agent", "write", () => toy.io("agent", "close", () => {}))),
      ],
      ["stop", () => toy.note(`${toy.choose("cause", 2)}`)],
    ]);
  expect(differenceIn(after, [1])).toEqual({
    step: 5,
    recorded: "the end of the execution",
    now: "agent:close#1, 1 possible",
  });
});

test("StrictChooser names a choice of data and a fault that are no longer there", () => {
  const asks =
    (stop: (toy: Parameters<ToyScenario>[0]) => void, mayFail: boolean): ToyScenario =>
    (toy) =>
      toy.events("user", [
        ["send", () => toy.io("agent", "model", () => toy.io("agent", "write", () => {}, { mayFail }))],
        ["stop", () => stop(toy)],
      ]);
  const choose = (count: number) => (toy: Parameters<ToyScenario>[0]) => void toy.choose("cause", count);
  // Answers: stop second, option 1, the write fails.
  expect(differenceIn(asks(choose(2), true), [1, 1, 1])).toBeNull();
  expect(differenceIn(asks(choose(2), false), [1, 1, 1])).toEqual({
    step: 4,
    recorded: "agent:write#1, 1 possible, made to fail",
    now: "agent:write#1 that cannot fail",
  });
  expect(differenceIn(asks(choose(1), true), [1, 1, 1])).toEqual({
    step: 5,
    recorded: "1 more of the choices of data",
    now: "the end of the execution",
  });
  const twice = (toy: Parameters<ToyScenario>[0]): void => {
    toy.choose("cause", 2);
    toy.choose("who", 3);
  };
  expect(differenceIn(asks(twice, true), [1, 1, 1])).toEqual({
    step: 2,
    recorded: "no choice of data",
    now: 'a choice of "who" among 3',
  });
});

test("StrictChooser names a late arrival that is no longer possible", () => {
  const recorded = runToy(two, listChooser([1, 2]), jitter);
  expect(recorded.steps.map(({ name, tick }) => [name, tick])).toContainEqual(["agent:model#1", 3]);
  const onEmptyQueue = strictOf(recorded);
  runToy(two, onEmptyQueue, spec);
  expect(onEmptyQueue.firstDifference()).toEqual({
    step: 2,
    recorded: "agent:model#1, 2 possible, 3 ticks in",
    now: "agent:model#1, 2 possible",
  });
  const shortDrain = strictOf(recorded);
  runToy(two, shortDrain, { jitter: true, most: 2 });
  expect(shortDrain.firstDifference()).toEqual({
    step: 2,
    recorded: "agent:model#1, 2 possible, 3 ticks in",
    now: "agent:model#1 at most 2 ticks in",
  });
});

test("StrictChooser answers first-come after the first difference", () => {
  const renamed: ToyScenario = (toy) => {
    two(toy);
    toy.events("ops", [
      ["a", () => {}],
      ["b", () => {}],
    ]);
  };
  const chooser = strictOf(runToy(two, listChooser([1, 1, 1]), spec));
  const now = runToy(renamed, chooser, spec);
  const firstCome = runToy(renamed, new ScheduleChooser(firstComeSchedule), spec);
  expect(now.steps.map(({ name }) => name)).toEqual(firstCome.steps.map(({ name }) => name));
});
