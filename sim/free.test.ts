import { describe, expect, test } from "vitest";
import { explore } from "../repro/explore.ts";
import { replay } from "../repro/replay.ts";
import { scenario, type World } from "./scenario.ts";
import { lowered } from "./testing/lowered.ts";

type Programs = {
  /** Notes its name at every turn, and awaits in between. */
  readonly turns: (log: string[], name: string, count: number) => Promise<void>;
  readonly closes: (door: Door) => Promise<void>;
  readonly reads: (world: World, cell: { value: number }) => Promise<void>;
};
type Door = { state: "open" | "closing" | "closed" };

const { turns, closes, reads } = lowered<Programs>(
  import.meta.url,
  `return {
    turns: async (log, name, count) => {
      for (let turn = 0; turn < count; turn++) {
        log.push(name + turn);
        await null;
      }
    },
    closes: async (door) => {
      door.state = "closing";
      await null;
      await null;
      door.state = "closed";
    },
    reads: async (world, cell) => {
      const { value } = cell;
      await world.io("disk:write", () => null);
      cell.value = value + 1;
    },
  };`,
);

/** Two async functions that run side by side from one event; FIFO lets them take turns. */
const sideBySide = (count: number, holds: (log: readonly string[]) => boolean) =>
  scenario("side by side", (world) => {
    const log: string[] = [];
    world.events("user", [["both", () => void [turns(log, "x", count), turns(log, "y", count)]]]);
    world.atQuiescence("the order", () => holds(log) || log.join(" "));
  });
const fifo = sideBySide(3, (log) => log.join(" ") === "x0 y0 x1 y1 x2 y2");

describe("level free", () => {
  test.each([
    [1, 2],
    [2, 6],
    [3, 20],
  ])("runs two functions of %i continuations each in all %i orders", async (count, orders) => {
    for (const strategy of ["depth-first", "dpor"] as const) {
      const result = await explore(
        sideBySide(count, () => true),
        { level: "free", strategy },
      );
      expect(result).toMatchObject({ outcome: "held", certificate: { classes: orders, level: "free" } });
    }
  });

  test("calls code that relies on the order of jobs unordered, and nothing at the other levels", async () => {
    for (const level of ["spec", "jitter"] as const)
      expect((await explore(fifo, { level, engine: "microtask" })).outcome).toBe("held");
    const result = await explore(fifo, { level: "free" });
    expect(result).toMatchObject({ outcome: "violated", verdict: "unordered" });
  });

  test.each(["random", "pct", "pos", "urw", "surw", "orderings", "delay-bounded", "depth-first", "dpor"] as const)(
    "%s finds it",
    async (strategy) => {
      expect(await explore(fifo, { level: "free", strategy })).toMatchObject({ verdict: "unordered" });
    },
  );

  test("tells a failure as orderings of jobs, and replays it", async () => {
    const result = await explore(fifo, { level: "free" });
    if (result.outcome !== "violated") throw new Error("Expected a violation");
    const { repro } = result;
    expect(repro.orderings.length).toBeLessThanOrEqual(1);
    for (const { first, then } of repro.orderings)
      for (const name of [first, then]) expect(name).toMatch(/^user:await turns(@2)?#\d$/);
    for (const mode of ["strict", "best-effort"] as const)
      expect(await replay(fifo, repro, { mode })).toMatchObject({ outcome: "violated", unmet: [] });
  });

  test("climbs: what breaks at level jitter as well is fragile", async () => {
    const door = scenario("a door", (world) => {
      const seen: string[] = [];
      const front: Door = { state: "open" };
      world.events("keeper", [["close", () => void closes(front)]]);
      world.events("guest", [["look", () => void seen.push(front.state)]]);
      world.atQuiescence("nobody sees it closing", () => !seen.includes("closing"));
    });
    expect(await explore(door, { engine: "microtask" })).toMatchObject({ outcome: "held" });
    expect(await explore(door, { level: "free" })).toMatchObject({ verdict: "fragile", repro: { level: "jitter" } });
  });

  test("climbs: what breaks at level spec as well is a bug", async () => {
    const clerks = scenario("two clerks", (world) => {
      const cell = { value: 0 };
      world.actor("ada", () => reads(world, cell));
      world.actor("bob", () => reads(world, cell));
      world.atQuiescence("both are counted", () => cell.value === 2 || `found ${cell.value}`);
    });
    expect(await explore(clerks, { level: "free" })).toMatchObject({ verdict: "bug", repro: { level: "spec" } });
  });

  test("leaves what is longer than it may decide to the order of ECMAScript", async () => {
    const result = await explore(
      sideBySide(300, (log) => log.length === 600),
      { level: "free", stepLimit: 5, executions: 20 },
    );
    expect(result).toMatchObject({ outcome: "held", executions: 20, certificate: null });
  });

  test("refuses the native engine", async () => {
    await expect(explore(fifo, { level: "free", engine: "native" })).rejects.toThrow(
      'Cannot explore "side by side" at level "free": expected the engine "microtask", which alone can reorder jobs, found "native"',
    );
  });
});
