import { describe, expect, test } from "vitest";
import type { AgentInput, AgentState, Decision, Message } from "./state.ts";
import {
  closing,
  completed,
  driving,
  end,
  idle,
  maintaining,
  opening,
  policy,
  proposing,
  start,
} from "./testing/states.ts";
import { transition } from "./transition.ts";

const written = (turn = 1): AgentInput => ({ type: "written", record: start(turn) });
const ended = (turn = 1): AgentInput => ({ type: "written", record: end(turn, completed) });
const proposed = (decision: Decision, step = 1, turn = 1): AgentInput => ({ type: "proposed", turn, step, decision });
const enter = (...messages: readonly Message[]): Decision => ({ kind: "enter", messages });
const stepped = (outcome: "continue" | "completed" | "max-tokens" | "failed", step = 1, turn = 1): AgentInput => ({
  type: "stepped",
  turn,
  step,
  outcome,
});

describe("stale reports", () => {
  const states: readonly (readonly [string, AgentState])[] = [
    ["idle", idle()],
    ["maintenance", maintaining()],
    ["opening", opening()],
    ["proposing", proposing([])],
    ["stepping", driving({})],
    ["closing", closing()],
  ];
  const reports: readonly (readonly [string, AgentInput])[] = [
    ["maintenance", { type: "maintained", activity: "m" }],
    ["opening", written()],
    ["opening", { type: "write-failed", record: start(1) }],
    ["closing", ended()],
    ["closing", { type: "write-failed", record: end(1, completed) }],
    ["proposing", proposed(enter())],
    ["stepping", stepped("completed")],
    ["never", { type: "maintained", activity: "another" }],
    ["never", written(2)],
    ["never", { type: "write-failed", record: start(0) }],
    ["never", ended(2)],
    ["never", proposed(enter(), 2)],
    ["never", proposed(enter(), 1, 2)],
    ["never", stepped("failed", 2)],
    ["never", stepped("failed", 1, 0)],
  ];

  test("transition() changes nothing for a report that does not match the live activity", () => {
    for (const [name, state] of states) {
      for (const [stage, input] of reports) {
        if (stage === name) continue;
        const step = transition(policy(), state, input);
        expect(step).toStrictEqual({ state, effects: [{ type: "stale", input }] });
        expect(step.state).toBe(state);
      }
    }
  });
});
