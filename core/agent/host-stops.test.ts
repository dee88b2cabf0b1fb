import { describe, expect, test } from "vitest";
import { createAgent } from "./host.ts";
import { agentIn, enter, keep } from "./testing/agent-in.ts";
import { deferredPorts, drain, isSettled } from "./testing/deferred-ports.ts";
import { followUp } from "./testing/states.ts";

describe("cancel", () => {
  test("cancel() stops a turn in opening before it asks for anything", async () => {
    const { agent, land, writes, diary } = await agentIn("opening");
    agent.cancel("stop", keep);
    await land("turn/end");
    await writes[0]?.resolve();
    expect(diary).toStrictEqual(["inserted a", "running", "start 1", "end 1 aborted", "idle"]);
    expect(agent.pending).toStrictEqual([followUp("a")]);
  });

  test("cancel() gives the batch back in proposing, and aborts the signal at once", async () => {
    const { agent, proposals, diary } = await agentIn("proposing");
    const signal = proposals[0]?.request.signal;
    agent.cancel("stop", keep);
    expect(signal?.aborted).toBe(true);
    expect(signal?.reason).toBeInstanceOf(Error);
    expect(signal?.reason).toMatchObject({ name: "AbortError", message: "stop" });
    await proposals[0]?.resolve(enter([followUp("a")]));
    expect(diary.slice(-3)).toStrictEqual(["restored a", "end 1 aborted", "idle"]);
    expect(agent.pending).toStrictEqual([followUp("a")]);
  });

  test("cancel() waits in stepping until the step has settled", async () => {
    const { agent, steps, diary, errors } = await agentIn("stepping");
    agent.cancel("stop", keep);
    agent.cancel("again", keep);
    await drain();
    expect(agent.status).toBe("running");
    await steps[0]?.reject(new Error("aborted"));
    expect(diary.slice(-2)).toStrictEqual(["end 1 aborted", "idle"]);
    // To reject is how a stopped step is expected to settle.
    expect(errors).toStrictEqual([]);
  });

  test("cancel() in closing keeps the turn's own end and opens no other", async () => {
    const { agent, writes, diary } = await agentIn("closing");
    agent.followUp("b");
    agent.cancel("stop", keep);
    for (let left = 5; left > 0; left -= 1) await writes[0]?.resolve();
    expect(diary.slice(-3)).toStrictEqual(["end 1 completed", "idle", "inserted b"]);
    expect(agent.pending).toStrictEqual([followUp("b")]);
  });

  test("cancel() without keepInbox clears what is pending", async () => {
    const { agent, steps, diary } = await agentIn("stepping");
    agent.followUp("b");
    agent.cancel("stop", { keepInbox: false });
    await steps[0]?.reject(new Error("aborted"));
    expect(agent.pending).toStrictEqual([]);
    expect(diary.slice(-3)).toStrictEqual(["canceled b", "end 1 aborted", "idle"]);
  });

  test("cancel() from inside an observer bites before the next request", async () => {
    for (const moment of ["claimed", "running"] as const) {
      const world = deferredPorts();
      const agent = createAgent({
        ...world.ports,
        onRemoved: (_, outcome) => void (moment === outcome && agent.cancel("stop", keep)),
        onStatus: (status) => void (moment === status && agent.cancel("stop", keep)),
      });
      agent.followUp("a");
      await agent.whenIdle();
      expect(world.diary.filter((line) => line.startsWith("propose"))).toStrictEqual([]);
      expect(agent.pending).toStrictEqual([followUp("a")]);
    }
  });

  test("cancel() gives every turn a signal of its own", async () => {
    const { agent, steps, proposals } = await agentIn("stepping");
    const first = steps[0]?.request.signal;
    agent.followUp("b");
    await steps[0]?.resolve("completed");
    const second = proposals[0]?.request.signal;
    agent.cancel("stop", keep);
    expect([first?.aborted, second?.aborted]).toStrictEqual([false, true]);
  });

  test("cancel() leaves the signal of a turn alone whose end is only being landed", async () => {
    const { agent, signals, writes } = await agentIn("closing");
    await writes[0]?.reject(new Error("full"));
    agent.followUp("b");
    agent.cancel("stop", keep);
    expect(agent.status).toBe("running");
    expect(signals.map(({ aborted }) => aborted)).toStrictEqual([false, false]);
  });
});

describe("dispose", () => {
  test("dispose() stops the turn, keeps the inbox and starts nothing again", async () => {
    const { agent, steps, diary } = await agentIn("stepping");
    agent.dispose();
    agent.dispose();
    expect(agent.followUp("b")).toStrictEqual({ outcome: "parked" });
    const idle = agent.whenIdle();
    await steps[0]?.reject(new Error("aborted"));
    expect(await isSettled(idle)).toBe(true);
    expect(diary.slice(-2)).toStrictEqual(["end 1 aborted", "idle"]);
    agent.steer("c");
    await drain();
    expect(agent.status).toBe("idle");
  });
});

describe("whenIdle", () => {
  test("whenIdle() resolves at once at idle, also after dispose", async () => {
    const agent = createAgent(deferredPorts().ports);
    expect(await isSettled(agent.whenIdle())).toBe(true);
    agent.dispose();
    expect(await isSettled(agent.whenIdle())).toBe(true);
  });

  test("whenIdle() waits in every stage, and for as long as a port does not answer", async () => {
    for (const stage of ["opening", "proposing", "stepping", "closing"] as const) {
      const { agent } = await agentIn(stage);
      agent.cancel("stop", keep);
      expect(await isSettled(agent.whenIdle())).toBe(false);
      expect(agent.queue("q").outcome).toBe("accepted");
    }
  });

  test("whenIdle() waits on when an observer of idle sends again", async () => {
    const { ports, proposals } = deferredPorts();
    const agent = createAgent(ports);
    const stopListening = agent.onStatus((status) => {
      if (status === "idle") agent.followUp("b");
    });
    agent.followUp("a");
    const idle = agent.whenIdle();
    await drain();
    await proposals[0]?.resolve({ kind: "reject" });
    expect(await isSettled(idle)).toBe(false);
    stopListening();
    await proposals[0]?.resolve({ kind: "reject" });
    expect(await isSettled(idle)).toBe(true);
  });
});
