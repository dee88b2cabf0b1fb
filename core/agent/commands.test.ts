import { describe, expect, test } from "vitest";
import type { AgentInput, AgentState } from "./state.ts";
import {
  append,
  canceled,
  closing,
  context,
  driving,
  followUp,
  idle,
  inserted,
  maintaining,
  opening,
  policy,
  proposing,
  queued,
  running,
  start,
  steer,
  stop,
} from "./testing/states.ts";
import { transition } from "./transition.ts";

const send = (message: ReturnType<typeof followUp>): AgentInput => ({ type: "send", message });
const cancel = (keepInbox: boolean, cause = "user"): AgentInput => ({ type: "cancel", cause, keepInbox });
const dispose: AgentInput = { type: "dispose" };

function refuses(state: AgentState, input: AgentInput, reason: string): void {
  const step = transition(policy(), state, input);
  expect(step).toStrictEqual({ state, effects: [{ type: "refused", input, reason }] });
  expect(step.state).toBe(state);
}

describe("send", () => {
  test("transition() starts a driver for a wake at idle", () => {
    for (const message of [followUp("a"), steer("a")]) {
      const lanes = message.lane === "next-turn" ? { nextTurn: [message] } : { nextStep: [message] };
      expect(transition(policy(), idle({ lastTurn: 4 }), send(message))).toStrictEqual({
        state: opening({ turn: 5 }, { lastTurn: 4, ...lanes }),
        effects: [inserted(message), running, append(start(5))],
      });
    }
  });

  test("transition() only queues what does not wake", () => {
    expect(transition(policy(), idle(), send(queued("a")))).toStrictEqual({
      state: idle({ nextTurn: [queued("a")] }),
      effects: [inserted(queued("a"))],
    });
    expect(transition(policy(), maintaining(), send(context("a")))).toStrictEqual({
      state: maintaining({}, { nextStep: [context("a")] }),
      effects: [inserted(context("a"))],
    });
    const stopped = driving({ stop });
    expect(transition(policy(), stopped, send(context("a")))).toStrictEqual({
      state: { ...stopped, nextStep: [context("a")] },
      effects: [inserted(context("a"))],
    });
  });

  test("transition() starts no driver after dispose, and latches nothing", () => {
    expect(transition(policy(), idle({ disposed: true }), send(followUp("a")))).toStrictEqual({
      state: idle({ disposed: true, nextTurn: [followUp("a")] }),
      effects: [inserted(followUp("a"))],
    });
    const disposing = driving({ stop: { cause: "disposed" } }, { disposed: true });
    expect(transition(policy(), disposing, send(steer("a")))).toStrictEqual({
      state: { ...disposing, nextTurn: [followUp("a")] },
      effects: [inserted(followUp("a"))],
    });
  });

  test("transition() starts a driver with the record that storage refused", () => {
    expect(transition(policy(), idle({ unwritten: start(1) }), send(followUp("a")))).toStrictEqual({
      state: opening({}, { nextTurn: [followUp("a")] }),
      effects: [inserted(followUp("a")), running, append(start(1))],
    });
    const record = { type: "turn/end", turn: 3, reason: { kind: "interrupted" } } as const;
    expect(transition(policy(), idle({ lastTurn: 3, unwritten: record }), send(followUp("a")))).toStrictEqual({
      state: closing({ turn: 3, step: 0, outcome: null }, { lastTurn: 3, nextTurn: [followUp("a")] }),
      effects: [inserted(followUp("a")), running, append(record)],
    });
  });

  test("transition() leaves a wake to the live driver", () => {
    const live = [opening(), proposing([followUp("x")]), driving({})];
    for (const state of live) {
      expect(transition(policy(), state, send(steer("a")))).toStrictEqual({
        state: { ...state, nextStep: [steer("a")] },
        effects: [inserted(steer("a"))],
      });
    }
    expect(transition(policy(), closing(), send(followUp("a")))).toStrictEqual({
      state: closing({}, { nextTurn: [followUp("a")] }),
      effects: [inserted(followUp("a"))],
    });
  });

  test("transition() latches a wake of the convergence window, behind those before it", () => {
    const window = [opening({ stop }), proposing([followUp("x")], { stop }), driving({ stop }), closing({ stop })];
    for (const state of window) {
      const first = transition(policy(), state, send(followUp("a")));
      const second = transition(policy(), first.state, send(followUp("b")));
      expect(second).toStrictEqual({
        state: { ...state, phase: { ...state.phase, latched: ["a", "b"] }, nextTurn: [followUp("a"), followUp("b")] },
        effects: [inserted(followUp("b"))],
      });
    }
  });

  test("transition() latches a wake during maintenance and keeps its lane while nothing is stopped", () => {
    expect(transition(policy(), maintaining(), send(steer("a")))).toStrictEqual({
      state: maintaining({ latched: ["a"] }, { nextStep: [steer("a")] }),
      effects: [inserted(steer("a"))],
    });
    expect(transition(policy(), maintaining({ stop }), send(steer("a")))).toStrictEqual({
      state: maintaining({ stop, latched: ["a"] }, { nextTurn: [followUp("a")] }),
      effects: [inserted(followUp("a"))],
    });
  });

  test("transition() latches a wake behind a failed outcome, whatever the policy does after it", () => {
    for (const afterFailure of ["park", "drain"] as const) {
      const failed = closing({ outcome: { kind: "failed" } });
      expect(transition(policy({ afterFailure }), failed, send(followUp("a")))).toStrictEqual({
        state: closing({ outcome: { kind: "failed" }, latched: ["a"] }, { nextTurn: [followUp("a")] }),
        effects: [inserted(followUp("a"))],
      });
    }
  });

  test("transition() turns a late steer into a prompt, and leaves late context where it is", () => {
    for (const state of [opening({ stop }), driving({ stop }), closing(), closing({ stop })]) {
      const late = transition(policy(), state, send({ ...steer("a"), body: 1 }));
      expect(late.state.nextTurn).toStrictEqual([{ ...followUp("a"), body: 1 }]);
      expect(late.effects).toStrictEqual([inserted({ ...followUp("a"), body: 1 })]);
      expect(transition(policy(), state, send(context("a"))).state.nextStep).toStrictEqual([context("a")]);
    }
  });

  test("transition() refuses an id that is pending or in the open batch", () => {
    refuses(idle({ nextTurn: [queued("a")] }), send(steer("a")), "duplicate-id");
    refuses(idle({ nextStep: [context("a")] }), send(followUp("a")), "duplicate-id");
    refuses(proposing([followUp("a")]), send(followUp("a")), "duplicate-id");
    refuses(idle({ disposed: true, nextTurn: [queued("a")] }), send(queued("a")), "duplicate-id");
  });

  test("transition() takes an id again once its message has entered", () => {
    expect(transition(policy(), driving({}), send(followUp("x"))).effects).toStrictEqual([inserted(followUp("x"))]);
  });
});

describe("retract", () => {
  const retract = (id: string): AgentInput => ({ type: "retract", id });

  test("transition() removes a pending message from either lane", () => {
    const state = idle({ nextTurn: [queued("a"), queued("b")], nextStep: [context("c")] });
    expect(transition(policy(), state, retract("a"))).toStrictEqual({
      state: { ...state, nextTurn: [queued("b")] },
      effects: [canceled("a")],
    });
    expect(transition(policy(), state, retract("c"))).toStrictEqual({
      state: { ...state, nextStep: [] },
      effects: [canceled("c")],
    });
  });

  test("transition() leaves the latch to converge when a latched message is retracted", () => {
    const state = driving({ stop, latched: ["a"] }, { nextTurn: [followUp("a")] });
    expect(transition(policy(), state, retract("a"))).toStrictEqual({
      state: { ...state, nextTurn: [] },
      effects: [canceled("a")],
    });
  });

  test("transition() refuses to retract what is not pending", () => {
    refuses(idle(), retract("a"), "not-pending");
    refuses(proposing([followUp("a")]), retract("a"), "not-pending");
  });
});

describe("cancel", () => {
  test("transition() stops an activity once; the first cause stays", () => {
    for (const state of [opening(), proposing([followUp("x")]), driving({}), closing(), maintaining()]) {
      const first = transition(policy(), state, cancel(true));
      expect(first).toStrictEqual({
        state: { ...state, phase: { ...state.phase, stop } },
        effects: [{ type: "abort", cause: "user" }],
      });
      expect(transition(policy(), first.state, cancel(true, "again"))).toStrictEqual({
        state: first.state,
        effects: [],
      });
    }
  });

  test("transition() clears the batch, then next-step, then next-turn", () => {
    const pending = { nextStep: [context("c"), steer("s")], nextTurn: [queued("q"), followUp("f")] };
    const state = proposing([steer("x"), followUp("y")], { latched: ["f"] }, pending);
    const notes = ["x", "y", "c", "s", "q", "f"].map((id) => canceled(id));
    expect(transition(policy(), state, cancel(false))).toStrictEqual({
      state: proposing([], { stop }),
      effects: [...notes, { type: "abort", cause: "user" }],
    });
    const stopped = proposing([], { stop: { cause: "first" }, latched: ["f"] }, { nextTurn: [followUp("f")] });
    expect(transition(policy(), stopped, cancel(false))).toStrictEqual({
      state: proposing([], { stop: { cause: "first" } }),
      effects: [canceled("f")],
    });
  });

  test("transition() keeps the latch with the inbox, unless the policy parks all", () => {
    for (const state of [
      driving({ stop, latched: ["a"] }, { nextTurn: [followUp("a")] }),
      maintaining({ stop, latched: ["a"] }, { nextTurn: [followUp("a")] }),
    ]) {
      expect(transition(policy(), state, cancel(true))).toStrictEqual({ state, effects: [] });
      expect(transition(policy({ parking: "all" }), state, cancel(true))).toStrictEqual({
        state: { ...state, phase: { ...state.phase, latched: [] } },
        effects: [],
      });
    }
  });

  test("transition() arms nothing at idle", () => {
    const state = idle({ nextTurn: [queued("q")], nextStep: [context("c")] });
    expect(transition(policy({ parking: "all" }), state, cancel(true))).toStrictEqual({ state, effects: [] });
    expect(transition(policy(), state, cancel(false))).toStrictEqual({
      state: idle(),
      effects: [canceled("c"), canceled("q")],
    });
  });
});

describe("dispose", () => {
  test("transition() disposes at idle at once and keeps the inbox", () => {
    const state = idle({ nextTurn: [queued("q")], unwritten: start(1) });
    expect(transition(policy(), state, dispose)).toStrictEqual({
      state: { ...state, disposed: true },
      effects: [{ type: "disposed" }],
    });
  });

  test("transition() stops what is live, and forgets the latch", () => {
    const pending = { nextTurn: [followUp("a")] };
    for (const state of [opening({}, pending), driving({}, pending), closing({}, pending), maintaining({}, pending)]) {
      expect(transition(policy(), state, dispose)).toStrictEqual({
        state: { ...state, phase: { ...state.phase, stop: { cause: "disposed" } }, disposed: true },
        effects: [{ type: "abort", cause: "disposed" }],
      });
    }
    const stopped = driving({ stop, latched: ["a"] }, pending);
    expect(transition(policy(), stopped, dispose)).toStrictEqual({
      state: driving({ stop }, { ...pending, disposed: true }),
      effects: [],
    });
  });

  test("transition() does nothing when disposed again", () => {
    const state = driving({ stop }, { disposed: true });
    expect(transition(policy(), state, dispose)).toStrictEqual({ state, effects: [] });
  });
});

describe("maintain", () => {
  const maintain: AgentInput = { type: "maintain", activity: "m" };

  test("transition() claims the phase at idle", () => {
    const state = idle({ nextTurn: [queued("q")], lastTurn: 2 });
    expect(transition(policy(), state, maintain)).toStrictEqual({
      state: maintaining({}, { nextTurn: [queued("q")], lastTurn: 2 }),
      effects: [{ type: "run-maintenance", activity: "m" }],
    });
  });

  test("transition() refuses maintenance as disposed, then busy, then unwritten", () => {
    refuses(driving({}, { disposed: true, unwritten: start(1) }), maintain, "disposed");
    refuses(driving({}, { unwritten: start(1) }), maintain, "busy");
    refuses(maintaining(), maintain, "busy");
    refuses(idle({ unwritten: start(1) }), maintain, "unwritten");
  });
});
