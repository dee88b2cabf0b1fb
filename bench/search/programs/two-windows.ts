/** Defect: two exact windows. One observer must look at each of two streams of 12 at one given moment. */
import type { Program } from "../program.ts";

const chunks = 12;

export const twoWindows: Program = {
  name: "twoWindows",
  start(outside) {
    let left = 0;
    let right = 0;
    let leftTorn = false;
    let bothTorn = false;
    outside.actor("left", async (step) => {
      for (; left < chunks; left++) await step("chunk", { writes: ["left"] });
    });
    outside.actor("right", async (step) => {
      for (; right < chunks; right++) await step("chunk", { writes: ["right"] });
    });
    outside.actor("reader", async (step) => {
      await step("read left", { reads: ["left"], writes: ["seen"] });
      leftTorn = left === 7;
      await step("read right", { reads: ["right", "seen"], writes: ["verdict"] });
      bothTorn = leftTorn && right === 5;
      if (bothTorn) outside.violated("both reads were torn");
    });
    return () => ({ left, right, leftTorn, bothTorn });
  },
};
