import { describe, expect, test } from "vitest";
import { ScenarioError } from "../../sim/scenario.ts";
import { labelOf, parseLeaseScript } from "./script.ts";
import { twoOnOneFile } from "./script-scenario.ts";

describe("parseLeaseScript()", () => {
  const request = { type: "request", call: "c1", owner: "run", footprint: { kind: "workspace" } };

  test("reads what it is given, and fills in what is seldom said", () => {
    expect(parseLeaseScript(JSON.parse(JSON.stringify(twoOnOneFile)))).toEqual(twoOnOneFile);
    expect(parseLeaseScript([request])).toEqual([{ ...request, needsApproval: false, aborted: false }]);
  });

  test.each([
    [{}, "expected array"],
    [[{ type: "sing" }], "step 1"],
    [[request, { type: "policy" }], "step 2: expected the policy as the first step"],
    [[request, request], 'step 2: expected an id of its own, found "c1"'],
    [[{ ...request, call: "a:b" }], 'step 1, call: expected a name without ":"'],
    [[{ ...request, footprint: { kind: "house" } }], "step 1, footprint.kind"],
    [[{ type: "policy", conflict: "fight" }], "step 1, conflict"],
    [[{ type: "wait", ms: -1 }], "step 1, ms"],
    [[{ type: "tick" }], "step 1"],
  ])("refuses %j", (json, where) => {
    expect(() => parseLeaseScript(json)).toThrow(ScenarioError);
    expect(() => parseLeaseScript(json)).toThrow(where);
  });
});

test("labelOf() names each step in plain words", () => {
  expect(
    twoOnOneFile.map((step) =>
      "label" in step || step.type === "policy" || step.type === "flow" ? "" : labelOf(step),
    ),
  ).toEqual(["request edit", "request command", "spawn child", "release edit", "close run"]);
  expect(labelOf({ type: "wait", ms: 5 })).toBe("wait 5 ms");
  expect(labelOf({ type: "await", name: "edit" })).toBe("await edit");
});
