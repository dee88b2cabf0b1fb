import { expect, test } from "vitest";
import { planOf } from "../../bounds.ts";
import { type Program, text } from "../../microtask/realm/testing/all-of-the-realm.ts";
import { withRunner } from "../../runner.ts";
import { scenario } from "../../scenario.ts";
import { FirstComeChooser } from "../../strategy.ts";
import { lowered } from "../../testing/lowered.ts";

const program = lowered<Program>(import.meta.url, text);

test.each(["resources", "origins"] as const)(
  "nothing of the engine's own makes a native promise (%s)",
  async (watch) => {
    const all = scenario("all of the realm", (world) => program(world));
    const { settings } = planOf(all, { engine: "microtask" });
    await withRunner(all, settings, async (runner) => {
      runner.engine.leaks.nativePromises = "leak";
      const { violation } = await runner.run(new FirstComeChooser(false), { watch });
      expect(violation).toBeNull();
      expect(runner.leaks()).toEqual([]);
    });
  },
);
