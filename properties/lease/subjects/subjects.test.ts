/** Each subject breaks what the contract's table says of it, and nothing before that; the two right ones hold wherever it does not. */
import { expect, test } from "vitest";
import { createLeaseScheduler } from "../../../core/lease/host.ts";
import type { ExploreOptions } from "../../../sim/result.ts";
import type { Scenario } from "../../../sim/scenario.ts";
import { search } from "../../../sim/search.ts";
import { checkLeaseScheduler } from "../check-lease-scheduler.ts";
import type { Situation } from "../flows.ts";
import { refusesSiblings, siblingCommands, wrongLeases } from "../scenarios.ts";
import { leaseSituation } from "../situation.ts";
import { run, situations } from "../situations.ts";
import { wrongSubjects } from "./all.ts";
import { ByTheBook } from "./by-the-book.ts";
import { leaseSubjects } from "./table.ts";

const breaks: ReadonlyMap<string, string> = new Map(leaseSubjects.map(({ name, breaks: [first] }) => [name, first]));
const seeds = Array.from({ length: 20 }, (_, seed) => `seed ${seed}`);

async function told(scenario: Scenario, options: ExploreOptions): Promise<string> {
  const found = await search(scenario, options);
  if (found.outcome === "held") return "held";
  return found.outcome === "violated" ? found.violation.name : `${found.outcome}: ${found.detail}`;
}

for (const scenario of [refusesSiblings, ...wrongLeases]) {
  const name = scenario.name.replace("microloom:lease/", "");
  test(`${name} is found, whatever the seed`, async () => {
    const found = new Set<string>();
    for (const seed of seeds) found.add(await told(scenario, { seed, level: "spec", executions: 3_000 }));
    expect([...found]).toEqual([breaks.get(name)]);
  });
}

test("no subject is without a scenario, and the first-come order of none breaks anything", async () => {
  expect([...wrongSubjects.keys()].sort()).toEqual(Object.keys(situations).sort());
  expect([...breaks.keys()].sort()).toEqual(["refuses-siblings", ...wrongSubjects.keys()].sort());
  for (const scenario of [refusesSiblings, ...wrongLeases]) {
    expect([scenario.name, await told(scenario, { strategy: "first-come" })]).toEqual([scenario.name, "held"]);
  }
});

test("refuses-siblings refuses siblings, and does nothing else wrong: it keeps deadlines, and closes", async () => {
  const subject = leaseSubjects.find(({ name }) => name === "refuses-siblings");
  if (subject === undefined) throw new Error("There is no such subject");
  for (const level of ["spec", "jitter"] as const) {
    const report = await checkLeaseScheduler(subject.make, { level, executions: 150, scripts: 50 });
    // Each refusal that siblings meet is also one without a cause.
    const broken = new Set(report.broken.map(({ invariant }) => invariant));
    expect([level, ...broken]).toEqual([level, "lease/sibling-calls-queue", "lease/refused-for-cause"]);
    expect([report.skipped, report.problems]).toEqual([[], []]);
    expect(report.notReached).not.toContain("a call expires while it awaits approval");
  }
});

const siblings: Situation = {
  flows: Object.fromEntries(siblingCommands.map(({ call, footprint }) => [call, run(call, footprint)])),
};

for (const [name, situation] of Object.entries({ "refuses-siblings": siblings, ...situations })) {
  test(`by the book and the core hold in the situation of ${name}`, async () => {
    const options = { name, situation };
    const book = leaseSituation({ ...options, make: (ports, policy) => new ByTheBook(ports, policy) });
    const core = leaseSituation({ ...options, make: (ports, policy) => createLeaseScheduler(ports, policy) });
    for (const level of ["spec", "jitter"] as const) {
      expect([level, await told(book, { level, executions: 40 })]).toEqual([level, "held"]);
      expect([level, await told(core, { level, executions: 40 })]).toEqual([level, "held"]);
    }
  });
}
