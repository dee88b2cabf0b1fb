/** Defect: an abort between two given deliveries in the middle of a stream of 40; before and after it is safe. */
import type { Program } from "../program.ts";

const chunks = 40;
const unsafeAfter = 27;

export const midWindow: Program = {
  name: "midWindow",
  start(outside) {
    let written = 0;
    let aborted = -1;
    outside.actor("stream", async (step) => {
      for (; written < chunks; written++) await step("chunk", { writes: ["file"] });
    });
    outside.actor("user", async (step) => {
      await step("abort", { reads: ["file"], writes: ["file"] });
      aborted = written;
      if (written === unsafeAfter) outside.violated("aborted between a header and its body");
    });
    return () => ({ written, aborted });
  },
};
