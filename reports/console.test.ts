import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ExploreResult, explore } from "../repro/explore.ts";
import type { ReplayResult } from "../repro/replay.ts";
import { scenario as makeScenario } from "../sim/scenario.ts";
import { lineLimit, renderExplore, renderReplay } from "./console.ts";
import { plainOptions as options, lateWakeRepro as repro } from "./testing/late-wake.ts";

const violated: Extract<ExploreResult, { outcome: "violated" }> = {
  outcome: "violated",
  violation: { kind: "quiescence", name: "nothing is forgotten", detail: "b lies there", at: "agent:model#2" },
  verdict: "bug",
  repro,
  executions: 12,
  reached: { goals: {}, missing: [] },
  races: { pairs: 3, bothOrders: 2, oneOrder: [] },
  seed: "s",
  ambiguous: [],
};

describe("renderExplore()", () => {
  test("tells what broke, in which order, which swap decides and how to replay it", () => {
    expect(renderExplore("late wake", violated, options)).toEqual([
      "✗ late wake  bug, found by placement in 12 executions",
      "  nothing is forgotten (quiescence): b lies there",
      "    seen after agent:model#2",
      "  Why it matters: Nothing is left to deliver, so nobody will ever put it right.",
      "  bug: it can happen today",
      "",
      "  What happened:",
      '    1. "stop" (user) came before the second "model" (agent).',
      "  The swap that decides:",
      '    In this execution, swapping just these two decides: it fails when "stop" (user) comes before the second "model" (agent), and holds when the second "model" (agent) comes first.',
      "",
      "  Replay it: npx microloom replay late.json",
      '  Keep it: once it is fixed, set "expect" to "held" and "choices" to null in that file, and move it to your tests; where the fix rules that order out, keep the scenario alone',
    ]);
  });

  test("says so when it fails without any reordering", () => {
    const plain = { ...violated, repro: { ...repro, orderings: [], criticalPair: null } };
    expect(renderExplore("x", plain, options)).toContain("    1. It fails without any reordering.");
  });

  test("says nothing of names that are ambiguous where nothing can be done about it: a timer takes no key", () => {
    const timers = { ...repro, orderings: [{ first: "user:stop#1", then: "lib:timer 5#2" }] };
    const told = renderExplore("x", { ...violated, repro: timers, ambiguous: ["lib:timer 5"] }, options).join("\n");
    expect(told).not.toContain("ambiguous");
    const mixed = { ...repro, orderings: [...timers.orderings, { first: "user:stop#1", then: "db:read#2" }] };
    const names = ["db:read", "lib:timer 5", "lib:interval 5", "lib:immediate"];
    expect(renderExplore("x", { ...violated, repro: mixed, ambiguous: names }, options).at(-1)).toBe(
      "  ambiguous: db:read: open more than once at a time, so they are told apart by their order alone; a key gives each a stable name",
    );
  });

  test("warns of ambiguous names only where the repro uses them", () => {
    const told = renderExplore("x", { ...violated, ambiguous: ["agent:model", "lib:timer 5"] }, options).join("\n");
    expect(told).toContain("ambiguous: agent:model:");
    expect(told).not.toContain("lib:timer 5");
  });

  test("tells apart exhaustive, estimated and plain searches, and goals that were missed", () => {
    const held: ExploreResult = {
      outcome: "held",
      executions: 1200,
      certificate: null,
      mistaken: [],
      estimate: null,
      reached: { goals: { won: 0 }, missing: ["won"] },
      ended: "spent",
      races: { pairs: 3, bothOrders: 3, oneOrder: [] },
      seed: "s",
      ambiguous: [],
    };
    const certificate = {
      classes: 27,
      of: "orders",
      level: "spec",
      blocked: 0,
      bounds: { stepLimit: 1000 },
      assumes: [],
    } as const;
    expect(renderExplore("x", held, options)).toEqual([
      "! x  held, 1,200 executions",
      "    not exhaustive: none of these executions broke anything, others may",
      '  ! held, but never reached "won"',
    ]);
    expect(renderExplore("x", { ...held, certificate }, options)).toEqual([
      "! x  held, 1,200 executions",
      "    exhaustive: all 27 orders at level spec (bounds: stepLimit 1,000)",
      '  ! held, but never reached "won" (unreachable within these bounds)',
    ]);
    const mistaken = [{ first: "a:call#1", then: "b:call#1", differs: "what a:call#1 notes: x or y" }];
    expect(renderExplore("x", { ...held, mistaken }, options)[2]).toBe(
      "  ! declared independent and is not: a:call#1 and b:call#1 differ in what a:call#1 notes: x or y",
    );
    const estimate = { classes: 50_000, of: "orders", relativeError: 0.127, probes: 40 } as const;
    expect(renderExplore("x", { ...held, estimate }, options)[1]).toBe(
      "    not exhaustive: there are about 50,000 orders (±13 %, from 40 random walks)",
    );
  });

  test("names races that were seen in one order only, three unless asked for all", () => {
    const at = { file: "src/agent.ts", line: 7, column: 3 };
    const oneOrder = ["a", "b", "c", "d"].map((name) => ({
      first: `user:${name}`,
      then: "agent:model",
      firstAt: null,
      thenAt: at,
    }));
    const held: ExploreResult = {
      outcome: "held",
      executions: 1,
      certificate: null,
      mistaken: [],
      estimate: null,
      ended: "spent",
      reached: { goals: {}, missing: [] },
      races: { pairs: 9, bothOrders: 5, oneOrder },
      seed: "s",
      ambiguous: [],
    };
    expect(renderExplore("x", held, options).slice(2)).toEqual([
      "    races: 5 of 9 conflicting pairs seen in both orders, never these:",
      "      agent:model (src/agent.ts:7) before user:a",
      "      agent:model (src/agent.ts:7) before user:b",
      "      agent:model (src/agent.ts:7) before user:c",
      "      and 1 more",
    ]);
    expect(renderExplore("x", held, { ...options, full: true })).toHaveLength(7);
    const told = [
      { name: "user:a", at },
      { name: "lib:timer 10", at: null },
    ];
    const imprecise = { ...held, races: { ...held.races, undeclared: { families: 3, told } } };
    expect(renderExplore("x", imprecise, options)).toEqual(renderExplore("x", held, options));
    expect(renderExplore("x", imprecise, { ...options, full: true }).at(-1)).toBe(
      "    undeclared, so taken to touch everything: user:a (src/agent.ts:7), lib:timer 10, and 1 more",
    );
  });

  test("cannot fail and stays within its lines, whatever was thrown or named", () => {
    const text = fc.string({ unit: "binary", maxLength: 2_000 });
    const ordering = fc.record({ first: text, then: text });
    const anything = fc.record({
      name: text,
      detail: text,
      at: fc.option(text),
      stack: text,
      orderings: fc.array(ordering, { maxLength: 100 }),
      pair: fc.option(fc.tuple(text, text)),
      data: fc.array(fc.nat(), { maxLength: 20 }),
    });
    fc.assert(
      fc.property(anything, ({ name, detail, at, stack, orderings, pair, data }) => {
        const violation = { ...violated.violation, name, detail, at, stack };
        const told = { ...violated, violation, repro: { ...repro, orderings, criticalPair: pair, data } };
        const lines = renderExplore(name, told, options);
        expect(lines.length).toBeLessThanOrEqual(lineLimit);
        for (const line of lines) expect(line).not.toMatch(/\p{Cc}/u);
      }),
      { numRuns: 200, seed: 1 },
    );
  });
});

describe("renderExplore() in full", () => {
  test("shows every step of the failing execution", async () => {
    const scenario = makeScenario("lost update", (world) => {
      let value = 0;
      const add = async () => {
        const read = await world.io("read", () => value);
        await world.io("write", () => {
          value = read + 1;
        });
      };
      world.actor("ada", add);
      world.actor("bob", add);
      world.atQuiescence("both count", () => value === 2);
    });
    const lines = renderExplore("lost update", await explore(scenario), { ...options, full: true });
    expect(lines).toContain("  Every step:");
    expect(lines.filter((line) => /^ {4}\d+\. (ada|bob):(start|read|write)#1/.test(line))).toHaveLength(6);
  });
});

describe("renderReplay()", () => {
  const base: ReplayResult = { outcome: "held", met: [], unmet: [], neverAppeared: [] };

  test("asks to turn the expectation once a failure holds", () => {
    expect(renderReplay("x", repro, base, options).join("\n")).toContain('set "expect" to "held"');
    expect(renderReplay("x", { ...repro, expect: "held" }, base, options).join("\n")).not.toContain("set");
  });

  test("names the first step that differs, what was unmet and what never appeared", () => {
    const result: ReplayResult = {
      outcome: "no-longer-fits",
      met: [],
      unmet: ["a:b#1 before c:d#1"],
      neverAppeared: ["a:b#1"],
      firstDifference: { step: 3, recorded: "root:spawn child#1, 2 possible", now: "root:release#1, 1 possible" },
    };
    expect(renderReplay("x", repro, result, options)).toEqual([
      "? x  A wake is forgotten",
      "  no longer fits: the code has changed under the file, so it proves nothing",
      "  first difference at step 3",
      "    recorded: root:spawn child#1, 2 possible",
      "    now:      root:release#1, 1 possible",
      "  unmet: a:b#1 before c:d#1",
      "  never appeared: a:b#1",
    ]);
  });

  test("says when another promise broke than the one that was recorded", () => {
    const violation = { kind: "stuck", name: "done", detail: "never settled", at: null } as const;
    const told = renderReplay("x", repro, { ...base, outcome: "violated", violation }, options).join("\n");
    expect(told).toContain('recorded for "nothing is forgotten"; this is another violation');
  });
});
