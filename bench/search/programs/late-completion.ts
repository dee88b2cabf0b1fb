/** Defect: a fetch that comes back after everything else. It must wait through all 40 deliveries of a stream. */
import type { Program } from "../program.ts";

const chunks = 40;

export const lateCompletion: Program = {
  name: "lateCompletion",
  start(outside) {
    let written = 0;
    let fetched = -1;
    outside.actor("fetch", async (step) => {
      await step("answer", { reads: ["file"], writes: ["file"] });
      fetched = written;
      if (written === chunks) outside.violated("written after the file was closed");
    });
    outside.actor("stream", async (step) => {
      for (; written < chunks; written++) await step("chunk", { writes: ["file"] });
    });
    return () => ({ written, fetched });
  },
};
