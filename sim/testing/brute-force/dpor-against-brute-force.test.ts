import fc from "fast-check";
import { expect, test } from "vitest";
import { search } from "../../search.ts";
import { byStrategy } from "./by-strategy.ts";
import { checked } from "./check.ts";
import { byClass } from "./classes.ts";
import { subjectOf } from "./code.ts";
import { differences } from "./compare.ts";
import { everyOrder } from "./every-order.ts";
import type { Block, Program } from "./program.ts";
import { programs } from "./programs.ts";
import { Tally } from "./tally.ts";

/** More of them, and larger ones: `MICROLOOM_PROGRAMS=2000 npx vitest run sim/testing/brute-force --silent=false`. */
const asked = Number(process.env.MICROLOOM_PROGRAMS ?? 0);
const campaign = asked > 0 ? { programs: asked, orders: 1_500 } : { programs: 110, orders: 130 };
/** Of so many every class is compared: of those that break something on the way only what they break is. */
const comparedLeast = asked > 0 ? asked / 2 : 100;
const seed = 20_240_601;

test(
  `dpor visits every class of ${campaign.programs} random programs, and none twice`,
  async () => {
    const tally = new Tally();
    const property = fc.asyncProperty(programs(campaign.orders), async (program) => {
      const found = await checked(program);
      tally.add(found);
      expect(found?.holes ?? []).toEqual([]);
      expect(found?.differences ?? []).toEqual([]);
    });
    await fc.assert(property, { seed, numRuns: campaign.programs });
    console.log(tally.describe());
    // The programs are no empty shells: they break what can be broken, and most orders are of a class with others.
    expect(Object.keys(tally.violations()).sort()).toEqual(["always", "error", "quiescence", "stuck"]);
    expect(tally.sum("orders")).toBeGreaterThan(2 * tally.sum("classes"));
    expect(tally.sum("classes")).toBeGreaterThan(3 * campaign.programs);
    expect(tally.sum("blocked")).toBeLessThan(tally.sum("executions") / 10);
    expect(tally.compared).toBeGreaterThanOrEqual(comparedLeast);
  },
  Math.max(120_000, campaign.programs * 5_000),
);

test("a search by dpor certifies as many classes as there are, and is found out where it drops one", async () => {
  let certified = 0;
  for (const program of fc.sample(programs(60), { numRuns: 25, seed })) {
    const subject = subjectOf(program, false);
    const classes = byClass((await everyOrder(subject, 1_000)) ?? []);
    if ([...classes.values()].flat().some(({ execution }) => execution.violation !== null)) continue;
    const result = await search(subject.scenario, { strategy: "dpor" });
    expect(result).toMatchObject({ outcome: "held", certificate: { classes: classes.size, level: "spec" } });
    const visited = await byStrategy("dpor", subject, 1_000);
    if (visited?.exhausted?.blocked !== 0) continue;
    const at = certified++ % classes.size;
    const dropped = { ...visited, executions: visited.executions.toSpliced(at, 1) };
    expect(differences(classes, dropped).map(({ what }) => what)).toEqual(["missing", "certificate"]);
  }
  expect(certified).toBeGreaterThan(10);
});

// What a condition notes at the end stands with whichever delivery came last.
test("a search by dpor takes what a condition notes at the end for nobody's own", async () => {
  const program = two([{ do: "write", variable: 0 }], [{ do: "write", variable: 1 }]);
  const quiet = await search(subjectOf(program, false).scenario, { strategy: "dpor" });
  expect(quiet).toMatchObject({ outcome: "held", certificate: { classes: 1, of: "classes" } });
  const noting = await search(subjectOf(program).scenario, { strategy: "dpor" });
  expect(noting).toMatchObject({ outcome: "held", certificate: { classes: 1, of: "classes" } });
});

/** Two sources of one event each. */
function two(one: Block, other: Block, lazySignal = false): Program {
  const flows = [one, other].map((block) => ({ kind: "events" as const, declares: true, blocks: [block] }));
  return { flows, conditions: [], lazySignal };
}

// A signal that is made by whoever looks first must have one name in both orders.
test.each([false, true])("two that use one signal are run in both orders (made late: %s)", async (lazySignal) => {
  const found = await checked(two([{ do: "look" }], [{ do: "abort" }], lazySignal));
  expect(found).toMatchObject({ orders: 2, classes: 2, executions: 2, blocked: 0, holes: [], differences: [] });
});

const timer = { do: "arm", afterMs: 5, times: 1, then: { do: "write", variable: 0 } } as const;

test("who reads the clock depends on timers", async () => {
  const found = await checked(two([timer], [{ do: "clock", of: "Date" }]));
  expect(found).toMatchObject({ orders: 3, classes: 3, executions: 3, holes: [], differences: [] });
});

test("who reads world.nowMs depends on timers", async () => {
  const found = await checked(two([timer], [{ do: "clock", of: "world" }]));
  expect(found).toMatchObject({ orders: 3, classes: 3, executions: 3, holes: [], differences: [] });
});

// Nothing comes between the immediates of one check phase, though the first event declares that it touches nothing.
test("an event that conflicts with two immediates of one phase comes before both or after both", async () => {
  const immediates = { do: "arm", afterMs: null, times: 2, then: { do: "write", variable: 0 } } as const;
  const flows = [[[immediates]], [[], [{ do: "write", variable: 0 }]]] as const;
  const program: Program = {
    flows: flows.map((blocks) => ({ kind: "events", declares: true, blocks })),
    conditions: [],
    lazySignal: false,
  };
  expect(await checked(program)).toMatchObject({ orders: 6, holes: [], differences: [] });
});
