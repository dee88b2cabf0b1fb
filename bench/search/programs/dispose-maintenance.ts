/**
 * Defect: maintenance that is under way while its owner is disposed and flushed; three flows have to meet in one order,
 * amid four flows that touch nothing of theirs.
 */
import { type Program, traffic } from "../program.ts";

export const disposeMaint: Program = {
  name: "disposeMaint",
  start(outside) {
    let disposed = false;
    let maintenance: "none" | "running" | "done" = "none";
    let flushedMeanwhile = false;
    outside.actor("maintenance", async (step) => {
      await traffic(step, "compaction", 5);
      await step("begin", { reads: ["disposed"], writes: ["maintenance"] });
      if (disposed) return;
      maintenance = "running";
      await step("end", { reads: ["disposed", "flushed"], writes: ["maintenance"] });
      if (disposed && flushedMeanwhile) outside.violated("maintenance used what was disposed and flushed");
      maintenance = "done";
    });
    outside.actor("owner", async (step) => {
      await traffic(step, "farewell", 2);
      await step("dispose", { reads: ["maintenance"], writes: ["disposed"] });
      disposed = true;
    });
    outside.actor("flusher", async (step) => {
      await traffic(step, "buffer", 9);
      await step("flush", { reads: ["disposed", "maintenance"], writes: ["flushed"] });
      flushedMeanwhile = disposed && maintenance === "running";
    });
    for (const name of ["client 1", "client 2", "client 3", "client 4"]) {
      outside.actor(name, (step) => traffic(step, name, 8, "request"));
    }
    return () => ({ disposed, maintenance, flushedMeanwhile });
  },
};
