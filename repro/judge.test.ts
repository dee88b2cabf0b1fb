import { expect, test } from "vitest";
import type { Execution, TraceStep } from "../sim/execution.ts";
import type { Schedule } from "../sim/schedule.ts";
import { untouchedStep } from "../sim/testing/untouched.ts";
import { judge } from "./judge.ts";

const step = (name: string, more: Partial<TraceStep> = {}): TraceStep => ({
  ...untouchedStep,
  name,
  possible: [name],
  chosen: 0,
  tick: 0,
  fault: null,
  nowMs: 0,
  askedBy: null,
  notes: [],
  ...more,
});
const execution: Execution = {
  opening: [],
  steps: [step("a:x#1"), step("a:y#1", { tick: 2 }), step("b:z#1", { fault: "fail" })],
  violation: null,
  data: [],
  faults: [],
  ambiguous: [],
  left: ["b:open#1"],
};

test("judge() sorts orderings and faults into met and unmet", () => {
  const schedule: Schedule = {
    orderings: [
      { first: "a:x#1", then: "a:y#1" },
      { first: "a:y#1", then: "a:x#1" },
      { first: "a:x#1", then: "b:open#1" },
      { first: "a:x#1", then: "a:gone#1" },
    ],
    faults: [
      { at: "a:y#1", kind: "late", arg: 2 },
      { at: "a:x#1", kind: "late", arg: 1 },
      { at: "b:z#1", kind: "fail" },
      { at: "b:z#1", kind: "hang" },
      { at: "c:none#1", kind: "hang" },
    ],
    data: [],
  };
  expect(judge(schedule, execution)).toEqual({
    // What the end cut off counts as met where its first has run.
    met: ["a:x#1 before a:y#1", "a:x#1 before b:open#1", "a:y#1 late by 2 ticks", "b:z#1 made to fail"],
    unmet: [
      "a:y#1 before a:x#1",
      "a:x#1 before a:gone#1",
      "a:x#1 late by 1 tick",
      "b:z#1 made to hang",
      "c:none#1 made to hang",
    ],
    neverAppeared: ["a:gone#1", "c:none#1"],
  });
});

test("judge() calls a choice of data unmet that is no longer asked for, or no longer has its option", () => {
  const schedule = { orderings: [], faults: [], data: [2] };
  const execution = { opening: [], steps: [], violation: null, faults: [], ambiguous: [], left: [] };
  expect(judge(schedule, { ...execution, data: [2] }).unmet).toEqual([]);
  for (const data of [[], [0]]) {
    expect(judge(schedule, { ...execution, data }).unmet).toEqual(["choice of data 1 taking option 3"]);
  }
});
