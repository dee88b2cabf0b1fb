import { describe, expect, test } from "vitest";
import { createGoalDriver } from "./goal-driver.ts";
import { createAgent } from "./host.ts";
import { session } from "./session.ts";
import type { Decision, StepOutcome } from "./state.ts";
import { enter, keep } from "./testing/agent-in.ts";
import { deferredPorts, drain } from "./testing/deferred-ports.ts";

/** An agent that runs by itself: every step ends as the script says, and with `completed` after it. */
function selfRunning(script: readonly (StepOutcome | "fail" | "wait")[] = []) {
  const world = deferredPorts();
  const outcomes = [...script];
  const bodies: unknown[] = [];
  const agent = createAgent({
    ...world.ports,
    propose: ({ messages }): Promise<Decision> => Promise.resolve(enter(messages)),
    runStep(request) {
      bodies.push(...request.messages.map(({ body }) => body));
      const outcome = outcomes.shift() ?? "completed";
      if (outcome === "wait") return world.ports.runStep(request);
      return outcome === "fail" ? Promise.reject(new Error("failed")) : Promise.resolve(outcome);
    },
  });
  const goal = (roundLimit: number) =>
    createGoalDriver(agent, { name: "goal", body: (round) => `round ${round}`, roundLimit });
  return { ...world, agent, goal, bodies };
}

describe("createGoalDriver", () => {
  test("createGoalDriver() runs round after round up to its limit", async () => {
    const { agent, goal, bodies } = selfRunning();
    const driver = goal(3);
    await drain();
    expect(bodies).toStrictEqual([]);
    driver.arm();
    await agent.whenIdle();
    expect(bodies).toStrictEqual(["round 1", "round 2", "round 3"]);
    expect(driver.state).toMatchObject({ mode: "disarmed", rounds: 3 });
    expect(agent.state.lastTurn).toBe(3);
  });

  test("createGoalDriver() lets a human turn pass and does not count it", async () => {
    const { agent, goal, bodies, steps } = selfRunning(["wait"]);
    const driver = goal(2);
    driver.arm();
    await drain();
    agent.followUp("human", "human");
    await steps[0]?.resolve("completed");
    await agent.whenIdle();
    expect(bodies).toStrictEqual(["round 1", "human", "round 2"]);
    expect(driver.state.rounds).toBe(2);
  });

  test("createGoalDriver() is paused by a stop, and its message does not stay behind", async () => {
    const { agent, goal, bodies, steps } = selfRunning(["wait"]);
    const driver = goal(2);
    driver.arm();
    await drain();
    session.cancel(agent, "user");
    await steps[0]?.reject(new Error("aborted"));
    await agent.whenIdle();
    expect(driver.state).toMatchObject({ mode: "paused", rounds: 0 });
    agent.followUp("human", "human");
    await agent.whenIdle();
    expect(bodies).toStrictEqual(["round 1", "human"]);
    driver.arm();
    await agent.whenIdle();
    expect(bodies.slice(2)).toStrictEqual(["round 1", "round 2"]);
  });

  test("createGoalDriver() pauses when a stop in opening leaves its reservation parked", async () => {
    const { agent, goal } = selfRunning();
    const driver = goal(2);
    driver.arm();
    agent.cancel("user", keep);
    await agent.whenIdle();
    expect(driver.state.mode).toBe("paused");
    expect(agent.pending).toStrictEqual([]);
  });

  test("createGoalDriver() pauses when somebody retracts its reservation", async () => {
    const { agent, goal, bodies } = selfRunning();
    const driver = goal(2);
    driver.arm();
    agent.retract("goal 1");
    await agent.whenIdle();
    expect(driver.state.mode).toBe("paused");
    expect(bodies).toStrictEqual([]);
    // The idle wake got its turn all the same, an empty one.
    expect(agent.state.lastTurn).toBe(1);
  });

  test("createGoalDriver() is disarmed by a round that fails or runs out of tokens", async () => {
    for (const outcome of ["fail", "max-tokens"] as const) {
      const { agent, goal, bodies } = selfRunning(["completed", outcome]);
      const driver = goal(5);
      driver.arm();
      await agent.whenIdle();
      expect(bodies).toStrictEqual(["round 1", "round 2"]);
      expect(driver.state).toMatchObject({ mode: "disarmed", rounds: 1 });
    }
  });

  test("createGoalDriver() pauses at a disposed agent, and when its body throws", async () => {
    const { agent, goal } = selfRunning();
    const throwing = createGoalDriver(agent, {
      name: "throwing",
      roundLimit: 1,
      body() {
        throw new Error("no prompt");
      },
    });
    expect(() => throwing.arm()).toThrow("no prompt");
    expect(throwing.state.mode).toBe("paused");
    agent.dispose();
    const driver = goal(1);
    driver.arm();
    expect(driver.state.mode).toBe("paused");
  });

  test("createGoalDriver() listens no more once it is closed", async () => {
    const { agent, goal, bodies } = selfRunning(["wait"]);
    const driver = goal(5);
    driver.close();
    agent.followUp("human", "human");
    await drain();
    session.cancel(agent, "user");
    expect(driver.state.mode).toBe("disarmed");
    expect(bodies).toStrictEqual(["human"]);
  });
});
