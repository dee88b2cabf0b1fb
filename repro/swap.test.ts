import { expect, test } from "vitest";
import type { Execution, TraceNote, TraceStep } from "../sim/execution.ts";
import type { Violation } from "../sim/result.ts";
import { type Scenario, scenario } from "../sim/scenario.ts";
import { explore } from "./explore.ts";
import { type Swap, swapOf } from "./swap.ts";

const untouched = { source: "x", touches: null, observed: { reads: [], writes: [] }, cancelled: [] };
const broken: Violation = { kind: "quiescence", name: "it holds", detail: "it does not", at: null };

/** Steps by name, each with the events that it notes. */
function ran(violation: Violation | null, ...steps: readonly (readonly [string, ...string[]])[]): Execution {
  const told = steps.map(
    ([name, ...events]): TraceStep => ({
      ...untouched,
      name,
      possible: [name],
      chosen: 0,
      tick: 0,
      fault: null,
      nowMs: 0,
      askedBy: null,
      notes: events.map((event): TraceNote => ({ event, data: 1 })),
    }),
  );
  return { opening: [], steps: told, violation, data: [], faults: [], ambiguous: [], left: [] };
}

const swapped = (failing: Execution, passing: Execution): Swap =>
  swapOf({ pair: ["x:b#1", "x:a#1"], failing, passing }, () => null);

test("swapOf() tells the first note of the pair that differs, and where the sides part", () => {
  const swap = swapped(
    ran(broken, ["x:go#1"], ["x:b#1", "early"], ["x:a#1"], ["x:c#1"]),
    ran(null, ["x:go#1"], ["x:a#1"], ["x:b#1", "late"], ["x:c#1"]),
  );
  expect(swap.failing).toMatchObject({ from: 2, more: 0, violation: broken });
  expect(swap.failing.steps.map(({ name }) => name)).toEqual(["x:b#1", "x:a#1", "x:c#1"]);
  expect(swap.differs.first).toEqual({
    kind: "note",
    failing: { step: 2, name: "x:b#1", note: { event: "early", data: 1 }, possible: ["x:b#1"] },
    passing: { step: 3, name: "x:b#1", note: { event: "late", data: 1 }, possible: ["x:b#1"] },
  });
  expect(swap.differs.notes).toEqual({
    failing: [{ at: "x:b#1", event: "early", data: 1 }],
    passing: [{ at: "x:b#1", event: "late", data: 1 }],
  });
});

test("swapOf() tells the first step that only one side has", () => {
  const swap = swapped(ran(broken, ["x:b#1"], ["x:a#1"]), ran(null, ["x:a#1"], ["x:b#1"], ["x:answer#1"]));
  expect(swap.differs.first).toMatchObject({ kind: "step", failing: { step: 3, name: null }, passing: { step: 3 } });
  expect(swap.differs.deliveries).toEqual({ failing: [], passing: ["x:answer#1"] });
});

test("swapOf() takes nothing for a difference that a failure has only cut off", () => {
  const always: Violation = { ...broken, kind: "always" };
  const swap = swapped(ran(always, ["x:b#1"], ["x:a#1"]), ran(null, ["x:a#1"], ["x:b#1"], ["x:c#1"]));
  expect(swap.differs).toEqual({
    first: null,
    deliveries: { failing: [], passing: [] },
    notes: { failing: [], passing: [] },
  });
});

/** Where a delivery of the pair was asked for, as functions. */
async function swapIn(subject: Scenario): Promise<Swap> {
  const result = await explore(subject, { strategy: "placement" });
  if (result.outcome !== "violated" || result.swap == null) throw new Error(`expected a swap: ${result.outcome}`);
  return result.swap;
}

const lateStop = scenario("a stop that comes late", (world) => {
  let stopped = false;
  let broke = false;
  async function save(): Promise<void> {
    await world.delay("disk:open");
    await world.io("disk:save", () => {
      broke ||= stopped;
    });
  }
  async function work(): Promise<void> {
    await save();
    world.note("saved", { afterStop: stopped });
  }
  world.actor("worker", work);
  world.events("user", [
    [
      "stop",
      () => {
        stopped = true;
      },
    ],
  ]);
  world.atQuiescence("nothing is saved after a stop", () => !broke);
});

test("explore() tells what the swap changes, with the async stacks of both deliveries", async () => {
  const swap = await swapIn(lateStop);
  expect(swap.pair).toEqual(["user:stop#1", "disk:save#1"]);
  expect(swap.failing.violation).toMatchObject({ name: "nothing is saved after a stop" });
  expect(swap.passing.violation).toBeNull();
  expect(swap.differs.first).toMatchObject({
    kind: "note",
    failing: { name: "disk:save#1", note: { event: "saved", data: { afterStop: true } } },
    passing: { name: "disk:save#1", note: { event: "saved", data: { afterStop: false } } },
  });
  const [stop, save] = swap.stacks;
  expect(stop.frames[0]?.at.file).toBe("repro/swap.test.ts");
  // Vitest writes stacks anew and leaves out who was waiting; that is read in stack.test.ts.
  expect(save.frames.map(({ name }) => name)).toEqual(["save", "work"]);
  expect(JSON.stringify(await swapIn(lateStop))).toBe(JSON.stringify(swap));
});
