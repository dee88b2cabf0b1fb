import { describe, expect, test } from "vitest";
import { InputError } from "../shape.ts";
import { createGoalDriver } from "./goal-driver.ts";
import { createAgent } from "./host.ts";
import { deferredPorts } from "./testing/deferred-ports.ts";
import { driving, idle, policy } from "./testing/states.ts";
import { defaultPolicy, initialState, transition } from "./transition.ts";

// Values come without types from a caller that has none.
const untyped = (value: unknown) => JSON.parse(JSON.stringify(value) ?? "null");
const message = { id: "a", lane: "next-turn", wake: true };
const record = { type: "turn/start", turn: 1 };

const wrongInputs: readonly unknown[] = [
  null,
  7,
  "dispose",
  [],
  {},
  { type: "restart" },
  { type: "__proto__" },
  { type: "toString" },
  { type: "send" },
  { type: "send", message: null },
  { type: "send", message: { ...message, id: undefined } },
  { type: "send", message: { ...message, id: 7 } },
  { type: "send", message: { ...message, lane: "later" } },
  { type: "send", message: { ...message, wake: "yes" } },
  { type: "retract" },
  { type: "cancel", keepInbox: true },
  { type: "cancel", cause: "user" },
  { type: "cancel", cause: "user", keepInbox: 1 },
  { type: "maintain" },
  { type: "maintained", activity: 1 },
  { type: "written" },
  { type: "written", record: { ...record, type: "inbox/inserted" } },
  { type: "written", record: { ...record, turn: Number.NaN } },
  { type: "write-failed", record: { type: "turn/end", turn: 1 } },
  { type: "write-failed", record: { type: "turn/end", turn: 1, reason: { kind: "bored" } } },
  { type: "write-failed", record: { type: "turn/end", turn: 1, reason: { kind: "aborted" } } },
  { type: "proposed", turn: 1, step: 1 },
  { type: "proposed", turn: "1", step: 1, decision: { kind: "reject" } },
  { type: "proposed", turn: 1, step: 0.5, decision: { kind: "reject" } },
  { type: "proposed", turn: 1, step: 1, decision: { kind: "perhaps" } },
  { type: "proposed", turn: 1, step: 1, decision: { kind: "enter", messages: "a" } },
  { type: "proposed", turn: 1, step: 1, decision: { kind: "enter", messages: [{ id: "a" }] } },
  { type: "stepped", turn: 1, step: 1, outcome: "done" },
  { type: "stepped", turn: 1, outcome: "failed" },
];

describe("checkInput", () => {
  test("transition() names the mistake in a value of the wrong shape", () => {
    for (const input of wrongInputs) {
      expect(() => transition(policy(), driving({}), untyped(input))).toThrow(InputError);
    }
    expect(() => transition(policy(), idle(), { type: "retract", id: untyped(Number.NaN) })).toThrow(
      "Cannot use input.id: expected string, found null; correct it",
    );
  });

  test("transition() takes no policy and no state of the wrong shape", () => {
    const dispose = { type: "dispose" } as const;
    for (const wrong of [null, {}, { ...defaultPolicy, parking: "none" }, { ...defaultPolicy, afterFailure: true }]) {
      expect(() => transition(untyped(wrong), initialState, dispose)).toThrow(InputError);
    }
    for (const wrong of [null, {}, { phase: "idle" }]) {
      expect(() => transition(defaultPolicy, untyped(wrong), dispose)).toThrow(InputError);
    }
  });

  test("transition() takes every string for an id", () => {
    let state = initialState;
    for (const id of ["__proto__", "constructor", "toString", ""]) {
      const step = transition(policy(), state, { type: "send", message: { id, lane: "next-turn", wake: false } });
      state = step.state;
      expect(step.effects).toHaveLength(1);
      expect(transition(policy(), state, { type: "retract", id }).state.nextTurn).toHaveLength(
        state.nextTurn.length - 1,
      );
    }
    expect(state.nextTurn.map(({ id }) => id)).toStrictEqual(["__proto__", "constructor", "toString", ""]);
  });

  test("createAgent() takes no ports, policy or state of the wrong shape", () => {
    const { ports } = deferredPorts();
    expect(() => createAgent(untyped(null))).toThrow(InputError);
    for (const name of ["append", "propose", "runStep", "onStatus", "onRemoved", "onError"]) {
      expect(() => createAgent({ ...ports, [name]: 7 })).toThrow(InputError);
    }
    expect(() => createAgent(ports, { claim: untyped("two") })).toThrow(InputError);
    expect(() => createAgent(ports, {}, untyped({}))).toThrow(InputError);
    expect(() => createAgent(ports, {}, driving({}))).toThrow(InputError);
  });

  test("the commands of an agent name the mistake, and nothing has changed", () => {
    const agent = createAgent(deferredPorts().ports);
    const { state } = agent;
    const mistakes: readonly (() => unknown)[] = [
      () => agent.send(untyped(null)),
      () => agent.send(untyped({ ...message, lane: "later" })),
      () => agent.followUp(untyped(7)),
      () => agent.retract(untyped(null)),
      () => agent.cancel(untyped(null), { keepInbox: true }),
      () => agent.cancel("user", untyped(null)),
      () => agent.cancel("user", untyped({})),
      () => agent.onStatus(untyped(7)),
      () => createGoalDriver(untyped(null), { name: "goal", body: () => "", roundLimit: 1 }),
      () => createGoalDriver(agent, untyped({ name: "goal" })),
      () => createGoalDriver(agent, { name: "goal", body: () => "", roundLimit: Number.NaN }),
    ];
    for (const mistake of mistakes) expect(mistake).toThrow(InputError);
    expect(agent.state).toBe(state);
  });
});
