import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Scenario, scenario, type World } from "../../scenario.ts";
import { search } from "../../search.ts";
import { subjectOf } from "../../testing/brute-force/code.ts";
import { programs } from "../../testing/brute-force/programs.ts";
import { firstCome } from "../../testing/executions.ts";
import { firstComePairs } from "./pairs.ts";

/** Four sources that declare nothing have more orders than any budget. */
function tooMany(world: World): void {
  for (const name of ["p", "q", "r", "s"]) {
    world.actor(name, async () => {
      for (let left = 6; left > 0; left--) await world.delay("work");
    });
  }
}

/** `a` and `b` say that they share nothing, and count together. */
const wrong = scenario("a wrong declaration in a large world", (world) => {
  tooMany(world);
  let calls = 0;
  for (const name of ["a", "b"]) {
    const touches = { writes: [name] };
    void world.io(`${name}:call`, () => ++calls, { touches }).then((nth) => world.note(`${name} is number ${nth}`));
  }
});

describe("a search that comes to no end", () => {
  test.each(["portfolio", "random", "pos"] as const)("names what was declared wrongly, by %s", async (strategy) => {
    const found = await search(wrong, { strategy, executions: 200 });
    const differs = "what a:call#1 notes: a is number 1 or a is number 2";
    const mistaken = [{ first: "a:call#1", then: "b:call#1", differs }];
    expect(found).toMatchObject({ outcome: "held", certificate: null, ended: "spent", executions: 200, mistaken });
  });

  test("runs one pair of families in both orders for forty executions, and none for fewer", async () => {
    for (const [executions, checks] of [
      [39, 0],
      [79, 1],
      [2_000, 3],
    ] as const) {
      let bodies = 0;
      const subject = scenario("three apart", (world) => {
        bodies++;
        tooMany(world);
        for (const name of ["a", "b", "c"]) void world.io(`${name}:call`, () => null, { touches: { writes: [name] } });
      });
      await search(subject, { strategy: "urw", executions });
      // Twice before the search and once after it the first-come schedule, and every 256th execution twice.
      expect(bodies - executions - 3 - Math.floor(executions / 256)).toBe(2 * checks);
    }
  });

  // Both orders are of the class of the first-come execution: what shows only elsewhere is for the search to find.
  test("leaves what follows a pair as it was", async () => {
    const window = scenario("a window behind twenty steps", (world) => {
      let phase = "running";
      let accepted = false;
      const step = (label: string, reads: string, writes: string): Promise<null> =>
        world.io(label, () => null, { touches: { reads: [reads], writes: [writes] } });
      const turn = async (): Promise<void> => {
        for (let left = 20; left > 0; left--) await step("chunk", "cancelled", "answer");
        await step("last chunk", "cancelled", "phase");
        phase = "finishing";
        await step("commit", "cancelled", "phase");
        phase = "idle";
      };
      const user = async (): Promise<void> => {
        await step("cancel", "phase", "cancelled");
        accepted = phase === "finishing";
      };
      for (const [name, body] of Object.entries({ turn, user })) world.actor(name, body, { touches: {} });
      world.atQuiescence("not in the window", () => !accepted);
    });
    const found = await search(window, { strategy: "random", executions: 400 });
    expect(found).toMatchObject({ outcome: "held", mistaken: [], executions: 400 });
    expect(firstComePairs(await firstCome(window), 5).length).toBeGreaterThan(0);
  });

  // A pair that is right to be called independent must never be named.
  test("finds nothing wrong with declarations that are right", async () => {
    let pairs = 0;
    for (const program of fc.sample(programs(1_500), { numRuns: 60, seed: 7 })) {
      const subject: Scenario = subjectOf(program).scenario;
      pairs += firstComePairs(await firstCome(subject), 5).length;
      const found = await search(subject, { strategy: "random", executions: 200 });
      if (found.outcome === "held") expect(found.mistaken).toEqual([]);
    }
    expect(pairs).toBeGreaterThan(60);
  });
});
