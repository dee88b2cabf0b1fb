import { expect, test } from "vitest";
import { leaseMutants } from "./all.ts";
import { asRepro, byHost, byInvariants, byModel, byReading, unseen } from "./testing/who-sees.ts";

const names = leaseMutants.filter(({ survives }) => survives === undefined).map(({ name }) => name);

test("no two mutants have one name", () => {
  expect(new Set(leaseMutants.map(({ name }) => name)).size).toBe(leaseMutants.length);
});

test("every mutant is seen by some suite, and every suite says why it does not see the others", () => {
  const suites = { byModel, byReading, byInvariants, byHost };
  for (const name of names) {
    expect([name, Object.values(suites).some((table) => table[name] !== undefined)]).toEqual([name, true]);
  }
  for (const [suite, table] of Object.entries(suites)) {
    const reasons = unseen[suite] ?? {};
    expect([suite, [...Object.keys(table), ...Object.keys(reasons)].sort()]).toEqual([suite, names.toSorted()]);
  }
  expect(Object.keys(asRepro).sort()).toEqual(names.toSorted());
});
