import { describe, expect, test } from "vitest";
import { InputError } from "../shape.ts";
import { createAgent } from "./host.ts";
import { AgentBusyError } from "./ports.ts";
import { agentIn, enter, keep } from "./testing/agent-in.ts";
import { deferredPorts, drain, isSettled } from "./testing/deferred-ports.ts";
import { followUp } from "./testing/states.ts";

/** A task that runs until it is told to end. */
function longTask() {
  const ends: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  const task = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<void>((resolve) => void ends.push(resolve));
  };
  const end = async () => {
    for (const resolve of ends) resolve();
    await drain();
  };
  return { task, signals, end };
}

describe("runMaintenance", () => {
  test("runMaintenance() claims the agent before it returns", async () => {
    const { ports, diary } = deferredPorts();
    const agent = createAgent(ports);
    const { task, signals, end } = longTask();
    const done = agent.runMaintenance(task);
    expect(signals).toHaveLength(1);
    await expect(agent.runMaintenance(task)).rejects.toThrow(AgentBusyError);
    expect(agent.status).toBe("idle");
    expect(await isSettled(agent.whenIdle())).toBe(false);
    await end();
    expect(await isSettled(done)).toBe(true);
    expect(await isSettled(agent.whenIdle())).toBe(true);
    expect(diary).toStrictEqual([]);
  });

  test("runMaintenance() rejects while a turn runs, and after dispose", async () => {
    const { agent, steps } = await agentIn("stepping");
    await expect(agent.runMaintenance(async () => {})).rejects.toMatchObject({ reason: "busy" });
    agent.dispose();
    await steps[0]?.reject(new Error("aborted"));
    await expect(agent.runMaintenance(async () => {})).rejects.toMatchObject({ reason: "disposed" });
  });

  test("runMaintenance() lets a wake wait until it is over, stopped or not", async () => {
    for (const stopped of [false, true]) {
      const { ports, diary, proposals } = deferredPorts();
      const agent = createAgent(ports);
      const { task, signals, end } = longTask();
      agent.runMaintenance(task);
      if (stopped) agent.cancel("stop", keep);
      expect(signals[0]?.aborted).toBe(stopped);
      agent.followUp("a");
      await drain();
      expect(diary).toStrictEqual(["inserted a"]);
      await end();
      expect(proposals[0]?.request.messages).toStrictEqual([followUp("a")]);
      expect(proposals[0]?.request.signal.aborted).toBe(false);
      await proposals[0]?.resolve(enter([]));
      expect(agent.status).toBe("idle");
    }
  });

  test("runMaintenance() passes on what the task throws, and frees the agent", async () => {
    const agent = createAgent(deferredPorts().ports);
    const broken = new Error("broken");
    const thrown = agent.runMaintenance(() => {
      throw broken;
    });
    await expect(thrown).rejects.toBe(broken);
    await expect(agent.runMaintenance(() => Promise.reject(broken))).rejects.toBe(broken);
    await agent.runMaintenance(async () => {});
  });

  test("runMaintenance() leaves no unhandled rejection to a caller that does not wait", async () => {
    const { agent } = await agentIn("stepping");
    const unhandled: unknown[] = [];
    const listen = (error: unknown) => void unhandled.push(error);
    process.on("unhandledRejection", listen);
    void agent.runMaintenance(async () => {});
    // Node reports unhandled rejections after the microtasks of a macrotask.
    await new Promise((resolve) => void setImmediate(resolve));
    process.off("unhandledRejection", listen);
    expect(unhandled).toStrictEqual([]);
  });

  test("runMaintenance() claims the agent also from inside an observer", async () => {
    const { agent, steps } = await agentIn("stepping");
    const { task, signals, end } = longTask();
    const leave = agent.onStatus(() => {
      leave();
      agent.runMaintenance(task);
      agent.followUp("b");
    });
    await steps[0]?.resolve("completed");
    expect(signals).toHaveLength(1);
    expect(agent.state.phase.kind).toBe("maintenance");
    await end();
    expect(agent.status).toBe("running");
  });

  test("runMaintenance() rejects what is no task", async () => {
    const agent = createAgent(deferredPorts().ports);
    await expect(agent.runMaintenance(JSON.parse("null"))).rejects.toThrow(InputError);
    expect(agent.state.phase.kind).toBe("idle");
  });
});
