import { expect, test } from "vitest";
import type { Execution, TraceStep } from "../sim/execution.ts";
import { untouchedStep } from "../sim/testing/untouched.ts";
import { shiftsOf } from "./shifts.ts";
import { modelAskedTwice as repro } from "./testing/model-asked-twice.ts";

const recorded = ["user:stop#1", "agent:model#1", "agent:model#2", "user:go#1"].map((name) => {
  return { name, possible: 1, chosen: 0, tick: 0, fault: null };
});

function executionOf(names: readonly string[], left: readonly string[] = []): Execution {
  const steps = names.map((name): TraceStep => {
    const alone = { possible: [name], chosen: 0, tick: 0, fault: null, nowMs: 0, askedBy: null, notes: [] };
    return { ...untouchedStep, ...alone, name };
  });
  return { opening: [], steps, data: [], violation: null, faults: [], ambiguous: [], left };
}

const oneMore = executionOf(["user:stop#1", "agent:model#1", "agent:model#2", "user:go#1"], ["agent:model#3"]);

test("shiftsOf() moves the numbers of what there is more of, from each number on, wherever they stand", () => {
  const shifts = shiftsOf(repro, recorded, oneMore, true);
  expect(shifts.map(({ taken }) => taken.map(({ recorded, now }) => `${recorded} ${now}`))).toEqual([
    ["agent:model#1 agent:model#2", "agent:model#2 agent:model#3"],
    ["agent:model#2 agent:model#3"],
    ["agent:model#2 agent:model#1"],
  ]);
  expect(shifts[0]?.repro).toEqual({
    ...repro,
    faults: [{ at: "agent:model#3", kind: "fail" }],
    orderings: [
      { first: "user:stop#1", then: "agent:model#2" },
      { first: "user:go#1", then: "agent:model#3" },
    ],
    criticalPair: ["user:stop#1", "agent:model#3"],
  });
});

test("shiftsOf() moves nothing where all was met and nothing is counted otherwise", () => {
  const same = executionOf(recorded.map(({ name }) => name));
  expect(shiftsOf(repro, recorded, same, true)).toEqual([]);
  expect(shiftsOf(repro, recorded, same, false).length).toBeGreaterThan(0);
});

test("shiftsOf() stays within its limit, whatever the repro names", () => {
  const orderings = Array.from({ length: 500 }, (_, at) => ({ first: `a:x${at}#5`, then: `b:y${at}#7` }));
  expect(shiftsOf({ ...repro, orderings }, recorded, oneMore, false)).toHaveLength(24);
});
