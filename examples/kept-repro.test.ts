import { readRepro, replay } from "microloom";
import { expect, test } from "vitest";
import { lateWake } from "./late-wake.scenario.ts";

test("the late wake is still what it was", async () => {
  const repro = await readRepro("examples/late-wake.json");
  const result = await replay(lateWake, repro);
  // Once it is fixed: "expect": "held" and "choices": null in the file, and "held" here.
  expect(result.outcome).toBe("violated");
  expect(result.unmet).toEqual([]);
});
