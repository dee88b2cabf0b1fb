/**
 * Defect: a cancel that is accepted while a turn is being committed. The turn looks for a cancel before each of its 22
 * steps, but for the last one, which commits; one gap between deliveries is open.
 */
import type { Program } from "../program.ts";

const chunks = 20;

export const cancelWindow: Program = {
  name: "cancelWindow",
  start(outside) {
    let phase: "running" | "finishing" | "idle" = "running";
    let received = 0;
    let cancelled = false;
    let accepted = false;
    outside.actor("turn", async (step) => {
      for (; received < chunks; received++) {
        await step("chunk", { reads: ["cancelled"], writes: ["answer"] });
        if (cancelled) return;
      }
      await step("last chunk", { reads: ["cancelled"], writes: ["phase"] });
      if (cancelled) return;
      phase = "finishing";
      await step("commit", { reads: ["cancelled"], writes: ["phase"] });
      if (cancelled && accepted) outside.violated("committed after an accepted cancel");
      phase = "idle";
    });
    outside.actor("user", async (step) => {
      await step("cancel", { reads: ["phase"], writes: ["cancelled"] });
      accepted = phase === "finishing";
      cancelled = true;
    });
    return () => ({ phase, received, cancelled, accepted });
  },
};
