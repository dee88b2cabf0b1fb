/**
 * Defect: a double-checked cache fill. A reader that missed looks into the cache a second time before it stores, but what
 * it stores was read before a write, whose invalidation came while the second look was already over. The cache stays stale.
 */
import { type Program, traffic } from "../program.ts";

const row = { reads: ["row"] };
const cache = { reads: ["cache"] };

export const cacheFill: Program = {
  name: "cacheFill",
  start(outside) {
    let stored = 1;
    let cached: number | null = null;
    const answers: Record<string, number> = {};
    outside.actor("writer", async (step) => {
      await step("update", { writes: ["row"] });
      stored = 2;
      await step("log", { writes: ["binlog"] });
      await step("invalidate", { writes: ["cache"] });
      cached = null;
    });
    for (const name of ["reader 1", "reader 2", "reader 3"]) {
      outside.actor(name, async (step) => {
        await step("look up", cache);
        if (cached !== null) return;
        await step("query", row);
        const found = stored;
        await step("look again", cache);
        if (cached !== null) return;
        await step("store", { writes: ["cache"] });
        cached = found;
        answers[name] = found;
      });
    }
    outside.actor("warmer", (step) => traffic(step, "other rows", 8, "warm"));
    outside.atEnd("the cache is empty or fresh", () => cached === null || cached === stored);
    return () => ({ stored, cached, answers: Object.entries(answers).sort() });
  },
};
