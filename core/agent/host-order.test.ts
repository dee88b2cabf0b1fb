import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAgent } from "./host.ts";
import { restore } from "./restore.ts";
import { enter } from "./testing/agent-in.ts";
import { deferredPorts, drain } from "./testing/deferred-ports.ts";
import { policies } from "./testing/moves.ts";
import { followUp } from "./testing/states.ts";

const act = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("followUp", "steer", "queue", "inject", "retract") },
  { weight: 1, arbitrary: fc.constantFrom("stop", "clear", "maintain") },
  // Answers to the oldest write or request that is open.
  { weight: 6, arbitrary: fc.constantFrom("write", "write", "request", "refuse", "fail") },
);

describe("createAgent", () => {
  test("createAgent() comes to rest with a log that rebuilds it, in whatever order its ports settle", async () => {
    await fc.assert(
      fc.asyncProperty(policies, fc.array(act, { maxLength: 30, size: "max" }), async (policy, acts) => {
        const { ports, writes, proposals, steps, log } = deferredPorts("manual");
        const agent = createAgent(ports, policy);
        const answer = async (succeeds: boolean) => {
          const [proposal, step] = [proposals[0], steps[0]];
          if (!succeeds) await (proposal ?? step)?.reject(new Error("failed"));
          else if (proposal !== undefined) await proposal.resolve(enter(proposal.request.messages));
          else await step?.resolve("completed");
        };
        for (const [at, name] of acts.entries()) {
          if (name === "followUp" || name === "steer" || name === "queue" || name === "inject") agent[name](`m${at}`);
          else if (name === "retract") agent.retract(agent.pending[0]?.id ?? "none");
          else if (name === "stop" || name === "clear") agent.cancel("user", { keepInbox: name === "stop" });
          else if (name === "maintain") agent.runMaintenance(async () => {});
          else if (name === "write") await writes[0]?.resolve();
          else if (name === "refuse") await writes[0]?.reject(new Error("full"));
          else await answer(name === "request");
        }
        // From here on everything succeeds; one more wake brings along what was refused.
        for (let left = 300; left > 0; left -= 1) {
          if (left === 150) agent.followUp("last");
          await writes[0]?.resolve();
          await answer(true);
        }
        expect(agent.state.phase.kind).toBe("idle");
        expect(agent.pending.filter(({ wake }) => wake)).toStrictEqual([]);
        expect(restore(log)).toStrictEqual(agent.state);
      }),
      { numRuns: 40 },
    );
  });

  test("createAgent() is one microtask from the answer of a port to what follows from it", async () => {
    const { ports, diary } = deferredPorts();
    let answer = (): void => {};
    const step = new Promise<"completed">((resolve) => {
      answer = () => resolve("completed");
    });
    const agent = createAgent({
      ...ports,
      propose: ({ messages }) => Promise.resolve(enter(messages)),
      runStep: () => step,
    });
    agent.send(followUp("a"));
    await drain();
    expect(diary.at(-1)).toBe("entered a");
    answer();
    // The first tick is the host's: what the step means is decided and its record handed to storage.
    await null;
    expect(diary.at(-1)).toBe("end 1 completed");
    await null;
    expect(agent.status).toBe("idle");
  });
});
