import { describe, expect, test } from "vitest";
import { InputError } from "../shape.ts";
import { session } from "./session.ts";
import { subagent } from "./subagent.ts";
import { agentIn, enter } from "./testing/agent-in.ts";
import { context, followUp, steer } from "./testing/states.ts";

describe("session", () => {
  test("session.cancel() stops the turn and keeps what is queued", async () => {
    const { agent, steps, diary } = await agentIn("stepping");
    agent.followUp("b");
    session.cancel(agent, "stop button");
    await steps[0]?.reject(new Error("aborted"));
    expect(diary.slice(-2)).toStrictEqual(["end 1 aborted", "idle"]);
    expect(agent.pending).toStrictEqual([followUp("b")]);
  });
});

describe("subagent", () => {
  test("subagent.interrupt() stops the child and gives it something else to do", async () => {
    const { agent, steps, proposals } = await agentIn("stepping");
    expect(subagent.interrupt(agent, context("b"))).toStrictEqual({ outcome: "accepted" });
    expect(steps[0]?.request.signal.aborted).toBe(true);
    await steps[0]?.reject(new Error("aborted"));
    expect(proposals[0]?.request.messages).toStrictEqual([followUp("b")]);
    await proposals[0]?.resolve(enter([]));
    expect(agent.status).toBe("idle");
  });

  test("subagent.interrupt() accepts an absent or disposed child and does nothing", async () => {
    expect(subagent.interrupt(undefined, steer("b"))).toStrictEqual({ outcome: "accepted" });
    const { agent, diary } = await agentIn("stepping");
    agent.dispose();
    const before = [...diary];
    expect(subagent.interrupt(agent, steer("b"))).toStrictEqual({ outcome: "accepted" });
    expect(agent.pending).toStrictEqual([]);
    expect(diary).toStrictEqual(before);
  });

  test("subagent.interrupt() stops nobody for a message of the wrong shape", async () => {
    const { agent, steps } = await agentIn("stepping");
    expect(() => subagent.interrupt(agent, JSON.parse("{}"))).toThrow(InputError);
    expect(steps[0]?.request.signal.aborted).toBe(false);
  });
});
