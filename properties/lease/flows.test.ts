import { describe, expect, test } from "vitest";
import { flowsOf, scriptOfFlows } from "./flows.ts";
import { needsOf } from "./needs.ts";
import { parseLeaseScript } from "./script.ts";
import { sideBySide } from "./scripts.ts";
import { about, file, nothing, request, situations, spawn, together, wait } from "./situations.ts";

const ask = request("c1", file("src"));
const release = about("release", "c1");

describe("flowsOf()", () => {
  test("gives the user what comes before any flow, and goes on with a flow that was named before", () => {
    const look = request("look", nothing);
    const script = parseLeaseScript([
      { type: "policy", waitLimitMs: 5 },
      ask,
      { type: "flow", name: "other" },
      look,
      { type: "flow", name: "user" },
      release,
    ]);
    expect(flowsOf(script)).toEqual({ policy: { waitLimitMs: 5 }, flows: { user: [ask, release], other: [look] } });
    expect(flowsOf([])).toEqual({ policy: {}, flows: {} });
  });

  test.each(Object.entries(situations))("reads the situation of %s back from its script", (_, situation) => {
    const script = parseLeaseScript(JSON.parse(JSON.stringify(scriptOfFlows(situation))));
    expect(flowsOf(script).flows).toEqual(situation.flows);
  });
});

test("parseLeaseScript() takes together only what takes no time, and no call twice", () => {
  expect(() => parseLeaseScript([together("both", ask, wait(1))])).toThrow("expected nothing that takes time");
  expect(() => parseLeaseScript([ask, together("both", ask)])).toThrow('found "c1" a second time');
  expect(() => parseLeaseScript([{ type: "flow", name: "a:b" }])).toThrow("step 1, name: expected a name without");
});

test("sideBySide() puts every other call and child into another flow, each in its own order", () => {
  const script = parseLeaseScript([ask, request("c2", file("src")), release, spawn("k2", "lib"), about("abort", "c2")]);
  expect(flowsOf(sideBySide(script)).flows).toEqual({
    user: [ask, release],
    other: [request("c2", file("src")), spawn("k2", "lib"), about("abort", "c2")],
  });
});

test("needsOf() looks into what is given together", () => {
  const asking = request("c3", file("src"), { needsApproval: true });
  expect(needsOf([{ type: "flow", name: "a" }, together("both", asking, spawn("k1", "lib"))])).toEqual([
    "approvals",
    "children",
  ]);
  expect(needsOf([ask, release])).toEqual([]);
});
