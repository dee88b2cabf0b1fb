import { describe, expect, test } from "vitest";
import { type GoalInput, type GoalState, initialGoal, stepGoal } from "./goal.ts";
import { aborted, canceled, claimed, end } from "./testing/states.ts";

const disarmed = initialGoal({ name: "goal", roundLimit: 3 });
const armed: GoalState = { ...disarmed, mode: "armed" };
const reserved: GoalState = { ...armed, reservation: "goal 1", serial: 1 };
const inRound: GoalState = { ...reserved, turn: 5 };
const idle = (...queued: string[]): GoalInput => ({ type: "idle", queued });
const ended = (kind: "completed" | "failed" | "max-tokens" | "blocked", turn = 5) => end(turn, { kind });
const { record: gone } = canceled("goal 1");
const retract = { type: "retract", id: "goal 1" };

describe("stepGoal", () => {
  test("stepGoal() reserves the next round when the agent becomes idle", () => {
    expect(stepGoal(armed, idle())).toStrictEqual({
      state: reserved,
      effects: [{ type: "reserve", id: "goal 1", round: 1 }],
    });
    expect(stepGoal(disarmed, idle())).toStrictEqual({ state: disarmed, effects: [] });
  });

  test("stepGoal() reserves at once when it is armed at idle, and later when not", () => {
    expect(stepGoal(disarmed, { type: "arm", idle: true, queued: [] }).state).toStrictEqual(reserved);
    expect(stepGoal(disarmed, { type: "arm", idle: false, queued: [] })).toStrictEqual({ state: armed, effects: [] });
    expect(stepGoal(inRound, { type: "arm", idle: false, queued: [] })).toStrictEqual({ state: inRound, effects: [] });
  });

  test("stepGoal() waits while another turn is queued", () => {
    expect(stepGoal(armed, idle("human"))).toStrictEqual({ state: armed, effects: [] });
    expect(stepGoal(disarmed, { type: "arm", idle: true, queued: ["human"] }).state).toStrictEqual(armed);
  });

  test("stepGoal() counts a completed round, and no turn of somebody else", () => {
    expect(stepGoal(reserved, claimed("goal 1", 5).record).state).toStrictEqual(inRound);
    expect(stepGoal(reserved, claimed("human", 5).record).state).toBe(reserved);
    expect(stepGoal(inRound, ended("completed")).state).toStrictEqual({ ...armed, serial: 1, rounds: 1 });
    expect(stepGoal(inRound, ended("completed", 4)).state).toBe(inRound);
    expect(stepGoal(reserved, ended("completed")).state).toBe(reserved);
  });

  test("stepGoal() disarms itself at its limit", () => {
    const last = stepGoal({ ...inRound, rounds: 2 }, ended("completed")).state;
    expect(last).toStrictEqual({ ...disarmed, rounds: 3, serial: 1 });
  });

  test("stepGoal() disarms after a round that failed or ran out of tokens", () => {
    for (const kind of ["failed", "max-tokens"] as const) {
      expect(stepGoal(inRound, ended(kind)).state.mode).toBe("disarmed");
      expect(stepGoal(inRound, ended(kind, 4)).state.mode).toBe("armed");
    }
  });

  test("stepGoal() pauses when its reservation is gone, aborted or still pending", () => {
    const paused: GoalState = { ...disarmed, mode: "paused", serial: 1 };
    expect(stepGoal(reserved, gone)).toStrictEqual({ state: paused, effects: [retract] });
    expect(stepGoal(inRound, end(5, aborted)).state).toStrictEqual(paused);
    expect(stepGoal(inRound, ended("blocked")).state).toStrictEqual(paused);
    expect(stepGoal(reserved, idle("goal 1"))).toStrictEqual({
      state: paused,
      effects: [retract],
    });
    expect(stepGoal(armed, canceled("human").record).state).toBe(armed);
  });

  test("stepGoal() is paused by a stop until it is armed again, and lets go of its round", () => {
    const stopped = stepGoal(inRound, { type: "stopped" });
    expect(stopped.state.mode).toBe("paused");
    const again = stepGoal(stopped.state, { type: "arm", idle: false, queued: [] }).state;
    // The aborted end of the round before the stop says nothing about the goal that was armed after it.
    const after = stepGoal(again, end(5, aborted)).state;
    expect(after.mode).toBe("armed");
    // The stopped turn gave the old reservation back; it must not run, nor count as somebody else's prompt.
    expect(stepGoal(after, idle("goal 1"))).toStrictEqual({
      state: { ...armed, reservation: "goal 2", serial: 2 },
      effects: [retract, { type: "reserve", id: "goal 2", round: 1 }],
    });
    expect(stepGoal(disarmed, { type: "stopped" }).state).toBe(disarmed);
  });

  test("stepGoal() pauses when the reservation is refused", () => {
    expect(stepGoal(reserved, { type: "refused" })).toStrictEqual({
      state: { ...armed, mode: "paused", serial: 1 },
      effects: [],
    });
  });

  test("stepGoal() lets go of a reservation when it is disarmed", () => {
    expect(stepGoal(reserved, { type: "disarm" })).toStrictEqual({
      state: { ...disarmed, serial: 1 },
      effects: [retract],
    });
  });
});
