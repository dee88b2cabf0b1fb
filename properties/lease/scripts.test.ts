import fc from "fast-check";
import { expect, test } from "vitest";
import { createLeaseScheduler } from "../../core/lease/host.ts";
import { search } from "../../sim/search.ts";
import { type LeaseScript, parseLeaseScript } from "./script.ts";
import { drawLeaseScripts, type LeaseWord, leasePolicies, leaseScripts } from "./scripts.ts";
import { leaseSituation } from "./situation.ts";
import { ByTheBook } from "./subjects/by-the-book.ts";

// Fixed, so that every machine runs the same campaign.
const seed = 1018;
const typesOf = (scripts: readonly LeaseScript[]) =>
  new Set(scripts.flatMap((script) => script.map(({ type }) => type)));

test("drawLeaseScripts() draws the same for the same seed, and never two that are equal", () => {
  const draw = { seed: "check", count: 200, most: 3 };
  const drawn = drawLeaseScripts(draw);
  expect(drawLeaseScripts(draw)).toEqual(drawn);
  expect(drawn).toHaveLength(200);
  expect(new Set(drawn.map((script) => JSON.stringify(script))).size).toBe(200);
  expect(drawLeaseScripts({ ...draw, seed: "another" })).not.toEqual(drawn);
  for (const script of drawn) {
    expect(script.length).toBeLessThanOrEqual(3);
    expect(parseLeaseScript(script)).toEqual(script);
  }
});

test("drawLeaseScripts() leaves out what it is told to leave out, and nothing else", () => {
  const all = ["request", "approve", "deny", "release", "abort", "spawn", "finish", "close", "wait", "await"];
  const parts: readonly (readonly [LeaseWord, readonly string[]])[] = [
    ["approvals", ["approve", "deny"]],
    ["children", ["spawn", "finish"]],
    ["close", ["close"]],
  ];
  expect(typesOf(drawLeaseScripts({ seed: "all", count: 200, most: 12 }))).toEqual(new Set(all));
  for (const [word, types] of parts) {
    const drawn = drawLeaseScripts({ seed: "all", count: 200, most: 12, without: [word] });
    expect(typesOf(drawn)).toEqual(new Set(all.filter((type) => !types.includes(type))));
    const asks = drawn.flat().some((step) => step.type === "request" && step.needsApproval);
    expect([word, asks]).toEqual([word, word !== "approvals"]);
  }
});

test("drawLeaseScripts() draws fewer where there are not so many", () => {
  const drawn = drawLeaseScripts({ seed: "few", count: 5_000, most: 1, without: ["approvals", "children", "close"] });
  expect(drawn.length).toBeGreaterThan(10);
  expect(drawn.length).toBeLessThan(1_000);
});

const right = {
  "by the book": leaseSituation({
    name: "by the book",
    make: (ports, policy) => new ByTheBook(ports, policy),
    situation: { flows: {} },
  }),
  "the core": leaseSituation({
    name: "the core",
    make: (ports, policy) => createLeaseScheduler(ports, policy),
    situation: { flows: {} },
  }),
};

for (const [name, scenario] of Object.entries(right)) {
  test(`whatever is asked, stopped, closed and waited for: ${name} keeps its promises`, async () => {
    const scripts = fc.tuple(fc.option(leasePolicies), leaseScripts({ most: 12 }));
    for (const [policy, steps] of fc.sample(scripts, { numRuns: 20, seed })) {
      const script = policy === null ? steps : [policy, ...steps];
      for (const level of ["spec", "jitter"] as const) {
        const found = await search(scenario, { script, level, executions: 5 });
        const told =
          found.outcome === "violated" ? `${found.violation.name}: ${found.violation.detail}` : found.outcome;
        expect([JSON.stringify(script), level, told]).toEqual([JSON.stringify(script), level, "held"]);
      }
    }
  });
}
