import { describe, expect, test } from "vitest";
import { scenario } from "./scenario.ts";
import { firstComeSchedule, ScheduleChooser } from "./schedule.ts";
import { executed, namesOf } from "./testing/executions.ts";

const nothing = (): void => undefined;
const program = scenario("a program", (world) => {
  void world.delay("x").then(nothing);
  void world.io("y", nothing, { mayFail: true }).catch(nothing);
  world.events("u", [
    ["a", async () => null],
    ["b", () => world.note("chose", world.choose("data", ["p", "q", "r"]))],
  ]);
});

async function followed(schedule: Partial<typeof firstComeSchedule>, level: "spec" | "jitter" = "spec") {
  const chooser = new ScheduleChooser({ ...firstComeSchedule, ...schedule });
  const execution = await executed(program, chooser, { level, jitterTicks: 9 });
  return { execution, outcome: chooser.outcome(execution.left), missed: chooser.missedLate() };
}

describe("ScheduleChooser", () => {
  test("ScheduleChooser runs the first-come schedule without orderings", async () => {
    const { execution, outcome } = await followed({});
    expect(namesOf(execution)).toEqual(["main:x#1", "main:y#1", "u:a#1", "u:b#1"]);
    expect(outcome).toEqual({ met: [], unmet: [], neverAppeared: [] });
  });

  test("ScheduleChooser holds then until first has run", async () => {
    const ordering = { first: "u:b#1", then: "main:x#1" };
    const { execution, outcome } = await followed({ orderings: [ordering] });
    expect(namesOf(execution)).toEqual(["main:y#1", "u:a#1", "u:b#1", "main:x#1"]);
    expect(outcome).toEqual({ met: [ordering], unmet: [], neverAppeared: [] });
  });

  test("ScheduleChooser lets the oldest go when everything is held, and names what never appeared", async () => {
    const cycle = [
      { first: "main:y#1", then: "main:x#1" },
      { first: "main:x#1", then: "main:y#1" },
      { first: "main:x#1", then: "u:a#1" },
      { first: "no:one#1", then: "u:b#1" },
    ];
    const { execution, outcome } = await followed({ orderings: cycle });
    expect(namesOf(execution)).toEqual(["main:x#1", "main:y#1", "u:a#1", "u:b#1"]);
    expect(outcome).toEqual({ met: cycle.slice(1, 3), unmet: [cycle[0], cycle[3]], neverAppeared: ["no:one#1"] });
  });

  test("ScheduleChooser strikes with faults and data", async () => {
    const { execution } = await followed({ faults: [{ at: "main:y#1", kind: "fail" }], data: [2] });
    expect(execution.faults).toEqual([{ at: "main:y#1", kind: "fail" }]);
    expect(execution.steps.at(-1)?.notes).toEqual([{ event: "chose", data: "r" }]);
  });

  test("ScheduleChooser lets a late delivery arrive inside the first drain after which it is not held", async () => {
    const faults = [{ at: "u:b#1", kind: "late", arg: 1 }] as const;
    const { execution, missed } = await followed({ faults }, "jitter");
    expect(execution.steps.map(({ name, tick }) => [name, tick])).toEqual([
      ["main:x#1", 0],
      ["main:y#1", 0],
      ["u:a#1", 0],
      ["u:b#1", 1],
    ]);
    expect(missed).toEqual([]);
    expect((await followed({ faults })).missed).toEqual(faults);
  });

  test("ScheduleChooser.restart() follows the schedule once more", async () => {
    const chooser = new ScheduleChooser({
      orderings: [{ first: "u:b#1", then: "main:x#1" }],
      faults: [{ at: "main:x#1", kind: "late", arg: 2 }],
      data: [1],
    });
    const first = await executed(program, chooser, { level: "jitter", jitterTicks: 9 });
    const outcome = chooser.outcome(first.left);
    chooser.restart();
    expect(await executed(program, chooser, { level: "jitter", jitterTicks: 9 })).toEqual(first);
    expect(chooser.outcome(first.left)).toEqual(outcome);
  });
});
