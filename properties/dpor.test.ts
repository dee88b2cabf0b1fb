/** Reduction on code that knows nothing of it: most of these declare no touches, so little may be left out. */
import { expect, test } from "vitest";
import { lateWake } from "../examples/late-wake.scenario.ts";
import { search } from "../sim/search.ts";
import { coreAgent, looksThenLeaves, parksLateWakes } from "./agent/scenarios.ts";
import { coreLease, refusesSiblings } from "./lease/scenarios.ts";

const small = [lateWake, parksLateWakes, looksThenLeaves, coreAgent, refusesSiblings, coreLease];
test.each(small.map((each) => [each.name, each] as const))(
  "Dpor finds what depth-first finds: %s",
  async (_, subject) => {
    const [all, reduced] = await Promise.all(
      (["depth-first", "dpor"] as const).map((strategy) => search(subject, { strategy, executions: 20_000 })),
    );
    expect(reduced?.outcome).toBe(all?.outcome);
    if (all?.outcome === "violated" && reduced?.outcome === "violated")
      expect(reduced.violation.name).toBe(all.violation.name);
    if (all?.outcome === "held" && reduced?.outcome === "held") {
      expect(reduced.reached.missing).toEqual(all.reached.missing);
      expect(reduced.certificate?.classes).toBeLessThanOrEqual(all.certificate?.classes ?? 20_000);
    }
  },
);
