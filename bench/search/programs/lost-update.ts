/** Defect: read, wait, write. Two deposits read the same balance, and one of them is lost. */
import type { Program } from "../program.ts";

export const lostUpdate: Program = {
  name: "lostUpdate",
  start(outside) {
    let balance = 0;
    for (const name of ["a", "b"]) {
      outside.actor(name, async (step) => {
        await step("read", { reads: ["balance"] });
        const seen = balance;
        await step("write", { writes: ["balance"] });
        balance = seen + 1;
      });
    }
    outside.atEnd("both deposits count", () => balance === 2);
    return () => balance;
  },
};
