/**
 * The totals of source-DPOR on the nine programs, by code that it has no part in: of four programs every order is run and
 * put into its class, of all nine every order that is drawn must be of a class that was visited.
 */
import { expect, test } from "vitest";
import { Coverage } from "../../sim/race-coverage.ts";
import { streamSeed } from "../../sim/random.ts";
import { strategyNamed } from "../../sim/strategies/named.ts";
import { byStrategy } from "../../sim/testing/brute-force/by-strategy.ts";
import { byClass } from "../../sim/testing/brute-force/classes.ts";
import { differences } from "../../sim/testing/brute-force/compare.ts";
import { everyOrder } from "../../sim/testing/brute-force/every-order.ts";
import type { Told } from "../../sim/testing/brute-force/told.ts";
import { type Subject, toldAll } from "../../sim/testing/brute-force/told-all.ts";
import { programs } from "./all.ts";
import { scenarioOf } from "./microloom.ts";
import type { Program } from "./program.ts";

/** Orders, counted by running them all; the other five have more than twenty thousand. */
const orders: Readonly<Record<string, number>> = {
  lostUpdate: 20,
  cancelWindow: 300,
  lateCompletion: 903,
  midWindow: 903,
};
const drawn = 150;

const named = programs.map((program): [string, Program] => [program.name, program]);

test.each(named.filter(([name]) => orders[name] !== undefined))(
  "dpor visits every class of %s, and none twice",
  async (name, program) => {
    const all = (await everyOrder(subjectOf(program), 1_000)) ?? [];
    expect(all).toHaveLength(orders[name] ?? 0);
    const visited = await byStrategy("dpor", subjectOf(program), 1_000);
    if (visited === null) throw new RangeError("More executions than orders");
    expect(differences(byClass(all), visited)).toEqual([]);
  },
);

test.each(named)("no order of %s that is drawn is of a class that dpor has missed", async (_, program) => {
  const visited = await byStrategy("dpor", subjectOf(program), 1_000);
  const { classes = 0, blocked = 0 } = visited?.exhausted ?? {};
  expect(visited?.executions).toHaveLength(classes + blocked);
  const known = byClass(visited?.executions ?? []);
  expect(known.size).toBe(classes);
  const met = byClass([...(await drawnBy("pos", program)), ...(await drawnBy("urw", program))]);
  expect([...met.keys()].filter((key) => !known.has(key))).toEqual([]);
  expect(met.size).toBeGreaterThan(Math.min(classes, drawn) / 4);
});

/** Nothing that goes wrong ends an execution, so each is a whole order. */
function subjectOf(program: Program): Subject {
  return { scenario: scenarioOf(program, { declared: true, reported: false }), state: () => "" };
}

async function drawnBy(name: "pos" | "urw", program: Program): Promise<readonly Told[]> {
  const context = { level: "spec", jitterTicks: null, executions: drawn, coverage: new Coverage() } as const;
  const strategy = strategyNamed(name, { ...context, seed: streamSeed(program.name, "schedule") });
  const told = await toldAll(subjectOf(program), drawn, () => ({
    next: (index) => (index < drawn ? strategy.next(index) : null),
    again: (index) => strategy.again(index),
    ended: (execution) => {
      const { violation, steps } = execution;
      strategy.ended({ violated: violation !== null, deliveries: steps.length, tell: () => execution });
    },
  }));
  return told?.executions ?? [];
}
