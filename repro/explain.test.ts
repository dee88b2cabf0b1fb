import { expect, test } from "vitest";
import type { ExploreOptions } from "../sim/result.ts";
import { type Scenario, scenario } from "../sim/scenario.ts";
import { search } from "../sim/search.ts";
import { explain, type Found } from "./explain.ts";
import { explore } from "./explore.ts";
import { lostWakeup } from "./testing/lost-wakeup.ts";

async function found(subject: Scenario, options: ExploreOptions): Promise<Found> {
  const result = await search(subject, options);
  if (result.outcome !== "violated") throw new Error(`expected a violation, found ${JSON.stringify(result)}`);
  return result;
}

test("explain() tells the strongest level at which the minimal schedule fails", async () => {
  for (const seed of ["a", "b", "c"]) {
    const fragile = await found(lostWakeup, { level: "jitter", strategy: "random", seed });
    const told = await explain(lostWakeup, fragile);
    expect(told).toMatchObject({ level: "spec", schedule: { faults: [], data: [] }, violation: { kind: "stuck" } });
    expect(told.pair?.passing.violation).toBeNull();
    expect(told.pair?.failing.violation).toMatchObject({ kind: "stuck", name: "consumer" });
  }
});

test("explain() runs the minimal schedule again with stacks", async () => {
  const throws = scenario("a late close", (world) => {
    let open = true;
    world.actor("reader", () => world.io("reader:read", () => assertOpen(open)));
    world.events("user", [
      [
        "close",
        () => {
          open = false;
        },
      ],
    ]);
  });
  const searched = await found(throws, { strategy: "random" });
  expect(searched.violation.stack ?? "").not.toContain("assertOpen");
  const told = await explain(throws, searched);
  expect(told.violation.stack).toContain("assertOpen");
  expect(told.violation.stack).toContain("explain.test.ts");
});

// Easy to break by a late look into the drain of open, hard to break by the order of five deliveries.
const twoWays = scenario("two ways to break it", (world) => {
  let open = false;
  let broken = false;
  const order: string[] = [];
  world.events("user", [
    [
      "open",
      async () => {
        open = true;
        for (let tick = 0; tick < 9; tick++) await null;
        open = false;
      },
    ],
    [
      "look",
      () => {
        broken ||= open;
      },
    ],
  ]);
  for (const label of ["a", "b", "c", "d"]) {
    world.actor(label, async () => {
      await world.io(`${label}:work`, () => order.push(label));
      broken ||= order.join("") === "dcba";
    });
  }
  world.always("nothing breaks", () => !broken);
});

test("explore() searches level spec once more before it calls a failure fragile", async () => {
  const options: ExploreOptions = { level: "jitter", strategy: "random" };
  const told = await explain(twoWays, await found(twoWays, options));
  expect(told.level).toBe("jitter");
  expect(told.schedule.faults).toMatchObject([{ at: "user:look#1", kind: "late" }]);
  expect(await explore(twoWays, options)).toMatchObject({
    outcome: "violated",
    verdict: "bug",
    repro: { level: "spec", faults: [] },
  });
});

function assertOpen(open: boolean): void {
  if (!open) throw new Error("it is closed");
}
