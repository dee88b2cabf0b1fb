/**
 * Defect: the generation says which turn is current, and the late end of an aborted turn is taken for the end of the next
 * one: after that was sent before the abort was acknowledged, and while its first pieces arrive. Its 67 classes are those of
 * executions that go on to their end; where each ends at its violation, fewer are told apart.
 */
import { deferred } from "../deferred.ts";
import { type Program, traffic } from "../program.ts";

const pieces = 6;

export const staleGen: Program = {
  name: "staleGen",
  start(outside) {
    let generation = 0;
    let acknowledged = false;
    let sentUnacknowledged = false;
    let received = 0;
    let stale = false;
    const aborted = deferred();
    const sentAgain = deferred();
    outside.actor("user", async (step) => {
      await step("send", { writes: ["generation"] });
      generation = 1;
      await step("abort", { writes: ["generation", "aborted"] });
      aborted.resolve();
      await step("send again", { reads: ["aborted", "acknowledged"], writes: ["generation"] });
      generation = 2;
      sentUnacknowledged = !acknowledged;
      sentAgain.resolve();
    });
    outside.actor("turn 1", async (step) => {
      await traffic(step, "connection 1", 6);
      await step("end", { reads: ["generation", "received"], writes: ["result"] });
      stale = generation === 2 && sentUnacknowledged && received >= 1 && received < 3;
      if (stale) outside.violated("the end of turn 1 was taken for the end of turn 2");
    });
    outside.actor("turn 2", async (step) => {
      await sentAgain.promise;
      await step("begin", { reads: ["generation"] });
      for (; received < pieces; received++) await step("piece", { writes: ["received"] });
    });
    outside.actor("server", async (step) => {
      await aborted.promise;
      await step("hear of the abort", { reads: ["aborted"], writes: ["acknowledged", "aborted"] });
      await traffic(step, "connection 2", 1);
      await step("acknowledge", { writes: ["acknowledged", "generation"] });
      acknowledged = true;
    });
    return () => ({ generation, acknowledged, sentUnacknowledged, received, stale });
  },
};
