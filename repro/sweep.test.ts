import { describe, expect, test } from "vitest";
import { ExploreOptionsError } from "../sim/bounds.ts";
import { scenario, type World } from "../sim/scenario.ts";
import { replay } from "./replay.ts";
import { sweep } from "./sweep.ts";

/** Three reads, one after the other, and a user who stops them; `told` hears what had been read by then. */
function reader(told: (read: number) => void, holds: (read: number, stoppedAt: number | null) => boolean = () => true) {
  return scenario("reader", (world: World) => {
    let read = 0;
    let stoppedAt: number | null = null;
    world.actor("reader", async () => {
      for (const page of ["one", "two", "three"]) {
        await world.io(`disk:${page}`, () => page);
        read++;
      }
    });
    world.events("user", [
      [
        "stop",
        () => {
          stoppedAt = read;
          told(read);
        },
      ],
    ]);
    world.sometimes("stopped in the middle", () => stoppedAt === 1);
    world.atQuiescence("holds", () => holds(read, stoppedAt));
  });
}

describe("sweep()", () => {
  test("puts the delivery at every place of the first-come run, each once", async () => {
    const places: number[] = [];
    const swept = await sweep(
      reader((read) => places.push(read)),
      "user:stop#1",
    );
    // Before the reader starts, after each of its three reads, and right after its start.
    expect(places.toSorted()).toEqual([0, 0, 1, 2, 3]);
    expect(swept).toEqual({
      outcome: "held",
      executions: 5,
      reached: { goals: { "stopped in the middle": 1 }, missing: [] },
    });
  });

  test("finds the one place that is wrong, with a repro that replays", async () => {
    for (const wrong of [0, 1, 2, 3]) {
      const subject = reader(
        () => undefined,
        (_, stoppedAt) => stoppedAt !== wrong,
      );
      const swept = await sweep(subject, "user:stop#1");
      if (swept.outcome !== "violated") throw new Error(`expected a violation at ${wrong}`);
      expect(swept.violation.name).toBe("holds");
      expect(await replay(subject, swept.repro)).toMatchObject({ outcome: "violated", violation: { name: "holds" } });
    }
  });

  test("runs what there is where the delivery never comes, and no more than it may", async () => {
    const quiet = reader(() => undefined);
    expect(await sweep(quiet, "user:go#1")).toMatchObject({ outcome: "held", executions: 1 });
    expect(await sweep(quiet, "user:stop#1", { executions: 3 })).toMatchObject({ executions: 3 });
    await expect(sweep(quiet, "user:stop#1", { executions: 0 })).rejects.toThrow(ExploreOptionsError);
  });
});
