import { describe, expect, test } from "vitest";
import { createAgent } from "./host.ts";
import { restore } from "./restore.ts";
import { agentIn, enter, keep } from "./testing/agent-in.ts";
import { deferredPorts, drain, isSettled } from "./testing/deferred-ports.ts";
import { context, followUp, steer } from "./testing/states.ts";

describe("createAgent", () => {
  test("createAgent() drives a prompt through a turn", async () => {
    const { ports, proposals, steps, diary } = deferredPorts();
    const agent = createAgent(ports);
    expect(agent.status).toBe("idle");
    expect(agent.followUp("a", "hello")).toStrictEqual({ outcome: "accepted" });
    expect(agent.status).toBe("running");
    await drain();
    await proposals[0]?.resolve(enter([{ ...followUp("a"), body: "hello" }]));
    await steps[0]?.resolve("continue");
    await proposals[0]?.resolve(enter([]));
    await steps[0]?.resolve("completed");
    await agent.whenIdle();
    expect(diary).toStrictEqual([
      "inserted a",
      "running",
      "start 1",
      "claimed a",
      "propose 1.1 [a]",
      "entered a",
      "step 1.1 [a]",
      "propose 1.2 []",
      "step 1.2 []",
      "end 1 completed",
      "idle",
    ]);
  });

  // The defect this agent exists for, #1838.
  test("createAgent() runs a wake that was sent while the stopped turn was converging", async () => {
    const { agent, steps, proposals, diary } = await agentIn("stepping");
    agent.cancel("stop", keep);
    const idle = agent.whenIdle();
    expect(agent.send(followUp("b"))).toStrictEqual({ outcome: "accepted" });
    await steps[0]?.reject(new Error("torn down"));
    expect(await isSettled(idle)).toBe(false);
    await proposals[0]?.resolve(enter([followUp("b")]));
    await steps[0]?.resolve("completed");
    expect(await isSettled(idle)).toBe(true);
    expect(diary.slice(diary.indexOf("inserted b"))).toStrictEqual([
      "inserted b",
      "end 1 aborted",
      "idle",
      "running",
      "start 2",
      "claimed b",
      "propose 2.1 [b]",
      "entered b",
      "step 2.1 [b]",
      "end 2 completed",
      "idle",
    ]);
  });

  test("createAgent() turns a late steer into a prompt of its own", async () => {
    const { agent } = await agentIn("stepping");
    agent.cancel("stop", keep);
    agent.steer("b");
    expect(agent.pending).toStrictEqual([followUp("b")]);
  });

  test("createAgent() says what became of a command", async () => {
    const { ports } = deferredPorts();
    const agent = createAgent(ports);
    expect(agent.queue("q")).toStrictEqual({ outcome: "accepted" });
    expect(agent.inject("q")).toStrictEqual({ outcome: "refused", reason: "duplicate-id" });
    expect(agent.retract("q")).toStrictEqual({ outcome: "accepted" });
    expect(agent.retract("q")).toStrictEqual({ outcome: "refused", reason: "not-pending" });
    agent.dispose();
    expect(agent.followUp("late")).toStrictEqual({ outcome: "parked" });
    expect(agent.pending).toStrictEqual([followUp("late")]);
    expect(agent.status).toBe("idle");
  });

  test("createAgent() lists what is pending in the order of the claim", () => {
    const agent = createAgent(deferredPorts().ports);
    agent.queue("q");
    agent.inject("c", 1);
    expect(agent.pending).toStrictEqual([
      { ...context("c"), body: 1 },
      { id: "q", lane: "next-turn", wake: false },
    ]);
  });

  test("createAgent() parks what it was restored with, and lands the left-over record first", async () => {
    const { ports, diary } = deferredPorts();
    const restored = restore([
      { type: "inbox/inserted", message: followUp("a") },
      { type: "turn/start", turn: 1 },
    ]);
    const agent = createAgent(ports, {}, restored);
    await drain();
    expect(diary).toStrictEqual([]);
    agent.steer("s");
    await drain();
    expect(diary).toStrictEqual([
      "inserted s",
      "running",
      "end 1 interrupted",
      "start 2",
      "claimed s",
      "propose 2.1 [s,a]",
      "claimed a",
    ]);
  });

  test("createAgent() keeps what it was given apart from what its owner does later", async () => {
    const { ports, proposals } = deferredPorts();
    const agent = createAgent(ports);
    const message = { ...followUp("a"), body: "first" };
    agent.send(message);
    message.body = "second";
    await drain();
    const request = proposals[0]?.request;
    expect(request?.messages).toStrictEqual([{ ...followUp("a"), body: "first" }]);
    Reflect.set(request?.messages ?? [], "length", 0);
    agent.cancel("stop", keep);
    await proposals[0]?.reject(new Error("stopped"));
    expect(agent.pending.map(({ id }) => id)).toStrictEqual(["a"]);
  });
});

describe("steer", () => {
  test("steer() joins the running turn at its next step", async () => {
    const { agent, steps, diary } = await agentIn("stepping");
    agent.inject("c");
    agent.steer("s");
    expect(agent.pending).toStrictEqual([context("c"), steer("s")]);
    await drain();
    await steps[0]?.resolve("completed");
    expect(diary.slice(-3)).toStrictEqual(["claimed c", "propose 1.2 [c,s]", "claimed s"]);
  });
});
