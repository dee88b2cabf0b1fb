import { describe, expect, test } from "vitest";
import { createAgent } from "./host.ts";
import { agentIn, enter, keep } from "./testing/agent-in.ts";
import { deferredPorts, drain } from "./testing/deferred-ports.ts";
import { context, followUp } from "./testing/states.ts";

describe("observers", () => {
  test("send() from inside an observer is carried out after the current input, never inside it", async () => {
    const world = deferredPorts();
    const seen: string[] = [];
    const agent = createAgent({ ...world.ports, onRemoved: ({ id }, outcome) => void seen.push(`${outcome} ${id}`) });
    agent.onStatus((status) => {
      seen.push(status);
      if (status === "running") seen.push(agent.steer("s").outcome, ...agent.pending.map(({ id }) => id));
    });
    agent.onRecord((record) => void seen.push(record.type));
    agent.followUp("a");
    // Accepted at once; its note follows the turn/start that the first input asked for.
    expect(seen).toStrictEqual(["running", "accepted", "s", "a"]);
    await drain();
    expect(seen.slice(4, 9)).toStrictEqual([
      "inbox/inserted",
      "turn/start",
      "claimed s",
      "claimed a",
      "inbox/inserted",
    ]);
    expect(world.diary).toContain("propose 1.1 [s,a]");
  });

  test("onRecord() follows the log, and a listener that left hears no more", async () => {
    const { ports, log, proposals } = deferredPorts();
    const agent = createAgent(ports);
    const heard: unknown[] = [];
    const leave = agent.onRecord((record) => void heard.push(record));
    agent.followUp("a");
    await drain();
    await proposals[0]?.resolve({ kind: "reject" });
    expect(heard).toStrictEqual(log);
    leave();
    agent.queue("b");
    await drain();
    expect(heard).toHaveLength(log.length - 1);
  });

  test("onRemoved() names the message, whatever became of it", async () => {
    const world = deferredPorts();
    const removed: unknown[] = [];
    const agent = createAgent({
      ...world.ports,
      onRemoved: (message, outcome) => void removed.push([message, outcome]),
    });
    agent.followUp("a");
    agent.inject("c");
    agent.retract("c");
    await drain();
    await world.proposals[0]?.resolve(enter([]));
    expect(removed).toStrictEqual([
      [context("c"), "canceled"],
      [followUp("a"), "claimed"],
      [followUp("a"), "blocked"],
    ]);
  });

  test("onStop() hears the first stop of an activity, and none at idle", async () => {
    const { agent } = await agentIn("stepping");
    const causes: string[] = [];
    agent.onStop((cause) => void causes.push(cause));
    agent.cancel("first", keep);
    agent.cancel("second", keep);
    expect(causes).toStrictEqual(["first"]);
  });

  test("createAgent() goes on when an observer throws, and reports the error", async () => {
    const world = deferredPorts();
    const agent = createAgent(world.ports);
    const error = new Error("observer");
    agent.onStatus(() => {
      throw error;
    });
    agent.followUp("a");
    await drain();
    await world.proposals[0]?.resolve({ kind: "reject" });
    expect(world.errors).toStrictEqual([error, error]);
    expect(agent.status).toBe("idle");
  });

  test("createAgent() lets an observer's error surface where nobody listens for errors", async () => {
    const { append, propose, runStep } = deferredPorts().ports;
    const agent = createAgent({ append, propose, runStep });
    const error = new Error("observer");
    agent.onStatus(() => {
      throw error;
    });
    const surfaced = new Promise((resolve) => {
      const others = process.listeners("uncaughtException");
      process.removeAllListeners("uncaughtException");
      process.once("uncaughtException", (uncaught) => {
        for (const listener of others) process.on("uncaughtException", listener);
        resolve(uncaught);
      });
    });
    agent.followUp("a");
    expect(agent.status).toBe("running");
    expect(await surfaced).toBe(error);
  });
});
