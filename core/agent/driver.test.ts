import { describe, expect, test } from "vitest";
import type { AgentInput, Message } from "./state.ts";
import {
  aborted,
  append,
  claimed,
  closing,
  completed,
  context,
  end,
  followUp,
  idle,
  maintaining,
  opening,
  policy,
  proposing,
  queued,
  quiescent,
  running,
  start,
  statusIdle,
  steer,
  stop,
} from "./testing/states.ts";
import { transition } from "./transition.ts";

const written = (turn = 1): AgentInput => ({ type: "written", record: start(turn) });
const ended = (turn = 1): AgentInput => ({ type: "written", record: end(turn, completed) });
const propose = (step: number, ...messages: readonly Message[]) => ({ type: "propose", turn: 1, step, messages });
const failed = { kind: "failed" } as const;

describe("written turn/start", () => {
  const pending = { nextStep: [context("c"), steer("s")], nextTurn: [followUp("f"), queued("q")] };

  test("transition() claims all of next-step and the first prompt", () => {
    expect(transition(policy(), opening({}, pending), written())).toStrictEqual({
      state: proposing([context("c"), steer("s"), followUp("f")], {}, { nextTurn: [queued("q")] }),
      effects: [claimed("c"), claimed("s"), claimed("f"), propose(1, context("c"), steer("s"), followUp("f"))],
    });
  });

  test("transition() claims every prompt under claim all", () => {
    const batch = [context("c"), steer("s"), followUp("f"), queued("q")];
    expect(transition(policy({ claim: "all" }), opening({}, pending), written())).toStrictEqual({
      state: proposing(batch),
      effects: [...batch.map(({ id }) => claimed(id)), propose(1, ...batch)],
    });
  });

  test("transition() asks about an empty batch as well", () => {
    expect(transition(policy(), opening(), written())).toStrictEqual({ state: proposing([]), effects: [propose(1)] });
  });

  test("transition() closes a turn that was stopped before it began", () => {
    expect(transition(policy(), opening({ stop, latched: ["f"] }, pending), written())).toStrictEqual({
      state: closing({ step: 0, stop, latched: ["f"], outcome: aborted }, pending),
      effects: [append(end(1, aborted))],
    });
  });
});

describe("written turn/end", () => {
  test("transition() leaves when nobody wants a turn", () => {
    expect(transition(policy(), closing({}, { nextStep: [context("c")] }), ended())).toStrictEqual({
      state: idle({ lastTurn: 1, nextStep: [context("c")] }),
      effects: [statusIdle, quiescent],
    });
  });

  test("transition() opens the next turn in the same driver, with nothing left of the last", () => {
    for (const message of [followUp("f"), queued("f")]) {
      expect(transition(policy(), closing({ step: 3, natural: true }, { nextTurn: [message] }), ended())).toStrictEqual(
        {
          state: opening({ turn: 2 }, { lastTurn: 1, nextTurn: [message] }),
          effects: [append(start(2))],
        },
      );
    }
    const steered = closing({}, { nextStep: [context("c"), steer("s")] });
    expect(transition(policy(), steered, ended()).effects).toStrictEqual([append(start(2))]);
  });

  test("transition() parks after a failure, or drains as the policy says", () => {
    const state = closing({ outcome: failed }, { nextTurn: [followUp("f")] });
    expect(transition(policy(), state, ended())).toStrictEqual({
      state: idle({ lastTurn: 1, nextTurn: [followUp("f")] }),
      effects: [statusIdle, quiescent],
    });
    expect(transition(policy({ afterFailure: "drain" }), state, ended())).toStrictEqual({
      state: opening({ turn: 2 }, { lastTurn: 1, nextTurn: [followUp("f")] }),
      effects: [append(start(2))],
    });
  });

  test("transition() lands a left-over end and gives the wake its turn, even if the message is gone", () => {
    expect(transition(policy(), closing({ step: 0, outcome: null }), ended())).toStrictEqual({
      state: opening({ turn: 2 }, { lastTurn: 1 }),
      effects: [append(start(2))],
    });
    expect(transition(policy(), closing({ step: 0, outcome: null, stop }), ended())).toStrictEqual({
      state: idle({ lastTurn: 1 }),
      effects: [statusIdle, quiescent],
    });
  });

  test("transition() converges when stopped, and parks what came before the stop", () => {
    expect(transition(policy(), closing({ stop }, { nextTurn: [followUp("f")] }), ended())).toStrictEqual({
      state: idle({ lastTurn: 1, nextTurn: [followUp("f")] }),
      effects: [statusIdle, quiescent],
    });
  });

  test("transition() replays for a latched message that is still pending", () => {
    const state = closing({ stop, latched: ["gone", "f"] }, { nextTurn: [queued("q"), followUp("f")] });
    expect(transition(policy(), state, ended())).toStrictEqual({
      state: opening({ turn: 2 }, { lastTurn: 1, nextTurn: [queued("q"), followUp("f")] }),
      effects: [statusIdle, running, append(start(2))],
    });
  });

  test("transition() replays for nothing that left the inbox, also when its id came back as context", () => {
    for (const nextStep of [[], [context("a")]]) {
      expect(transition(policy(), closing({ stop, latched: ["a"] }, { nextStep }), ended())).toStrictEqual({
        state: idle({ lastTurn: 1, nextStep }),
        effects: [statusIdle, quiescent],
      });
    }
  });

  test("transition() reaches disposed after quiescent, and replays nothing", () => {
    const state = closing({ stop }, { disposed: true, nextTurn: [followUp("f")] });
    expect(transition(policy(), state, ended())).toStrictEqual({
      state: idle({ lastTurn: 1, disposed: true, nextTurn: [followUp("f")] }),
      effects: [statusIdle, quiescent, { type: "disposed" }],
    });
  });
});

describe("write-failed", () => {
  test("transition() keeps the record for the next driver and becomes idle", () => {
    const pending = { nextTurn: [followUp("f")] };
    expect(transition(policy(), opening({}, pending), { type: "write-failed", record: start(1) })).toStrictEqual({
      state: idle({ unwritten: start(1), ...pending }),
      effects: [{ type: "fault", record: start(1) }, statusIdle, quiescent],
    });
    const record = end(1, completed);
    expect(transition(policy(), closing({}, pending), { type: "write-failed", record })).toStrictEqual({
      state: idle({ lastTurn: 1, unwritten: record, ...pending }),
      effects: [{ type: "fault", record }, statusIdle, quiescent],
    });
  });

  test("transition() retries at once for a latched wake, under every policy", () => {
    for (const afterFailure of ["park", "drain"] as const) {
      const record = end(1, failed);
      const state = closing({ outcome: failed, latched: ["f"] }, { nextTurn: [followUp("f")] });
      expect(transition(policy({ afterFailure }), state, { type: "write-failed", record })).toStrictEqual({
        state: closing({ step: 0, outcome: null }, { nextTurn: [followUp("f")] }),
        effects: [{ type: "fault", record }, statusIdle, running, append(record)],
      });
    }
  });

  test("transition() leaves the record to restore when disposed", () => {
    const state = opening({ stop: { cause: "disposed" } }, { disposed: true });
    expect(transition(policy(), state, { type: "write-failed", record: start(1) })).toStrictEqual({
      state: idle({ disposed: true, unwritten: start(1) }),
      effects: [{ type: "fault", record: start(1) }, statusIdle, quiescent, { type: "disposed" }],
    });
  });
});

describe("maintained", () => {
  const maintained: AgentInput = { type: "maintained", activity: "m" };

  test("transition() becomes idle without a status, for maintenance never showed one", () => {
    expect(transition(policy(), maintaining({}, { nextTurn: [queued("q")] }), maintained)).toStrictEqual({
      state: idle({ nextTurn: [queued("q")] }),
      effects: [quiescent],
    });
    expect(transition(policy(), maintaining({ stop }, { disposed: true }), maintained)).toStrictEqual({
      state: idle({ disposed: true }),
      effects: [quiescent, { type: "disposed" }],
    });
  });

  test("transition() replays for a wake that came meanwhile", () => {
    for (const stopped of [null, stop]) {
      const state = maintaining({ stop: stopped, latched: ["f"] }, { nextTurn: [followUp("f")] });
      expect(transition(policy(), state, maintained)).toStrictEqual({
        state: opening({}, { nextTurn: [followUp("f")] }),
        effects: [running, append(start(1))],
      });
    }
  });
});
