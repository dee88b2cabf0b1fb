import { expect, test } from "vitest";
import { applyRenames, familyOf } from "./renamed.ts";
import { type Repro, ReproError } from "./repro.ts";
import { modelAskedTwice } from "./testing/model-asked-twice.ts";

const repro: Repro = {
  ...modelAskedTwice,
  choices: "ml1:AAAA",
  orderings: [
    { first: "user:a=b#1", then: "agent:model#1" },
    { first: "agent:model#2", then: "user:stop#1" },
  ],
};

test("applyRenames() renames a source and label with all its numbers, wherever it stands", () => {
  const now = applyRenames(repro, ["agent:model=agent:llm"]);
  expect(now).toEqual({
    ...repro,
    faults: [{ at: "agent:llm#2", kind: "fail" }],
    orderings: [
      { first: "user:a=b#1", then: "agent:llm#1" },
      { first: "agent:llm#2", then: "user:stop#1" },
    ],
    criticalPair: ["user:stop#1", "agent:llm#2"],
  });
});

test("applyRenames() renames single deliveries, all at once", () => {
  const now = applyRenames(repro, ["agent:model#1=agent:model#2", "agent:model#2=agent:model#1"]);
  expect(now.orderings.map(({ first, then }) => [first, then])).toEqual([
    ["user:a=b#1", "agent:model#2"],
    ["agent:model#1", "user:stop#1"],
  ]);
});

test("applyRenames() finds the old name where labels hold an equals sign", () => {
  expect(applyRenames(repro, ["user:a=b=user:c=d"]).orderings[0]?.first).toBe("user:c=d#1");
});

test.each([
  ["agent:model", "expected old=new"],
  ["agent:mode=agent:llm", 'the file names "user:a=b#1", "agent:model#1", "agent:model#2", "user:stop#1"; name one'],
  ["agent:model=llm", 'expected a source and label like user:stop after the "=", found "llm"'],
  ["agent:model=agent:llm#2", 'expected a source and label like user:stop after the "=", found "agent:llm#2"'],
  ["agent:model#1=agent:llm", 'expected a delivery name like user:stop#1 after the "=", found "agent:llm"'],
  ["agent:model=", 'after the "=", found ""'],
  ["", "expected old=new"],
])("applyRenames() refuses %j", (asked, message) => {
  expect(() => applyRenames(repro, [asked])).toThrow(ReproError);
  expect(() => applyRenames(repro, [asked])).toThrow(message);
});

test("applyRenames() refuses two new names for one", () => {
  expect(() => applyRenames(repro, ["agent:model=agent:x", "agent:model=agent:y"])).toThrow(
    'Cannot rename "agent:model=agent:y": expected one new name for "agent:model", found two; leave one out',
  );
});

test("familyOf() leaves the number out", () => {
  expect(familyOf("agent:model#2")).toBe("agent:model");
  expect(familyOf("agent:#1 fan#2")).toBe("agent:#1 fan");
});
