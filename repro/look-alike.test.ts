import fc from "fast-check";
import { expect, test } from "vitest";
import { editDistance, lookAlikes } from "./look-alike.ts";

test("editDistance() counts what was put in, taken out and replaced", () => {
  expect(editDistance("", "abc")).toBe(3);
  expect(editDistance("kitten", "sitting")).toBe(3);
  expect(editDistance("x".repeat(100_000), "y")).toBe(200);
});

test("editDistance() is a distance", () => {
  const word = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(word, word, word, (a, b, c) => {
      expect(editDistance(a, a)).toBe(0);
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
    }),
  );
});

test("lookAlikes() takes a similar label of the same source, the nearest first", () => {
  const fresh = ["agent:models#1", "agent:mode#1", "agent:modes#2", "user:modem#1"];
  expect(lookAlikes(["agent:model#1"], fresh, null)).toEqual([
    { gone: "agent:model#1", now: "agent:models#1", differs: "label" },
  ]);
  expect(lookAlikes(["agent:model#1"], ["agent:teardown#1", "user:mode#1"], null)).toEqual([]);
});

test("lookAlikes() takes the same label of another source, with the same number where there is one", () => {
  const fresh = ["tool:read#1", "tool:read#2"];
  expect(lookAlikes(["agent:read#2", "agent:read#7"], fresh, null)).toEqual([
    { gone: "agent:read#2", now: "tool:read#2", differs: "source" },
    { gone: "agent:read#7", now: "tool:read#1", differs: "source" },
  ]);
});

test("lookAlikes() takes any label of the same source that came in the place of the other", () => {
  const place = ["agent:model#1", "agent:llm#1"] as const;
  expect(lookAlikes(["agent:model#2"], ["agent:llm#1", "agent:llm#2"], place)).toEqual([
    { gone: "agent:model#2", now: "agent:llm#2", differs: "label" },
  ]);
  expect(lookAlikes(["agent:model#2"], ["other:llm#2"], ["agent:model#1", "other:llm#1"])).toEqual([]);
});
