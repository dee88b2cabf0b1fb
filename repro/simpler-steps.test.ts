import { expect, test } from "vitest";
import { simplerSteps } from "./simpler-steps.ts";

test("simplerSteps() takes one key or one item away, at any depth", () => {
  expect(simplerSteps({ type: "spawn", paths: ["a", "b"], by: { name: "x" } })).toEqual([
    { paths: ["a", "b"], by: { name: "x" } },
    { type: "spawn", by: { name: "x" } },
    { type: "spawn", paths: ["a", "b"] },
    { type: "spawn", paths: ["b"], by: { name: "x" } },
    { type: "spawn", paths: ["a"], by: { name: "x" } },
    { type: "spawn", paths: ["a", "b"], by: {} },
  ]);
});

test("simplerSteps() takes a step out of the one that wraps it", () => {
  expect(simplerSteps({ type: "inside", at: "idle", do: { type: "dispose" } })[0]).toEqual({ type: "dispose" });
});

test("simplerSteps() knows nothing simpler than a value", () => {
  for (const step of ["a", 1, true, null, {}, []]) expect(simplerSteps(step)).toEqual([]);
});
