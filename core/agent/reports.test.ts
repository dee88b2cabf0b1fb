import { describe, expect, test } from "vitest";
import type { AgentInput, Decision, Message } from "./state.ts";
import {
  aborted,
  append,
  blocked,
  claimed,
  closing,
  completed,
  context,
  driving,
  end,
  entered,
  followUp,
  policy,
  proposing,
  queued,
  restored,
  steer,
  stop,
} from "./testing/states.ts";
import { transition } from "./transition.ts";

const proposed = (decision: Decision, step = 1, turn = 1): AgentInput => ({ type: "proposed", turn, step, decision });
const enter = (...messages: readonly Message[]): Decision => ({ kind: "enter", messages });
const stepped = (outcome: "continue" | "completed" | "max-tokens" | "failed", step = 1, turn = 1): AgentInput => ({
  type: "stepped",
  turn,
  step,
  outcome,
});
const propose = (step: number, ...messages: readonly Message[]) => ({ type: "propose", turn: 1, step, messages });
const runStep = (step: number, ...messages: readonly Message[]) => ({ type: "run-step", turn: 1, step, messages });
const maxTokens = { kind: "max-tokens" } as const;
const failed = { kind: "failed" } as const;

describe("proposed", () => {
  const batch = [steer("s"), followUp("f")];

  test("transition() gives the batch back to a stop, whatever was decided", () => {
    const state = proposing(batch, { stop }, { nextStep: [context("c")], nextTurn: [followUp("late")] });
    for (const decision of [enter(...batch), { kind: "reject" }, { kind: "failed" }] as const) {
      expect(transition(policy(), state, proposed(decision))).toStrictEqual({
        state: closing(
          { stop, outcome: aborted },
          { nextStep: [steer("s"), context("c")], nextTurn: [followUp("f"), followUp("late")] },
        ),
        effects: [restored(...batch), append(end(1, aborted))],
      });
    }
    expect(transition(policy(), proposing([], { stop }), proposed(enter()))).toStrictEqual({
      state: closing({ stop, outcome: aborted }),
      effects: [append(end(1, aborted))],
    });
  });

  test("transition() blocks the batch of a rejected or failed proposal", () => {
    for (const [kind, reason] of [
      ["reject", "blocked"],
      ["failed", "failed"],
    ] as const) {
      expect(transition(policy(), proposing(batch), proposed({ kind }))).toStrictEqual({
        state: closing({ outcome: { kind: reason } }),
        effects: [blocked("s"), blocked("f"), append(end(1, { kind: reason }))],
      });
    }
  });

  test("transition() blocks what does not enter, and runs the step with what does", () => {
    const extra = context("extra");
    expect(transition(policy(), proposing(batch), proposed(enter(extra, followUp("f"))))).toStrictEqual({
      state: driving({}),
      effects: [blocked("s"), entered(extra), entered(followUp("f")), runStep(1, extra, followUp("f"))],
    });
  });

  test("transition() enters the message as it was decided", () => {
    const rewritten = { ...followUp("f"), body: "rewritten" };
    expect(transition(policy(), proposing([followUp("f")]), proposed(enter(rewritten))).effects).toStrictEqual([
      entered(rewritten),
      runStep(1, rewritten),
    ]);
  });

  test("transition() ends a turn that nobody enters, and spends no model call", () => {
    expect(transition(policy(), proposing(batch), proposed(enter()))).toStrictEqual({
      state: closing(),
      effects: [blocked("s"), blocked("f"), append(end(1, completed))],
    });
    const afterNatural = proposing([steer("s")], { step: 2, natural: true, outcome: completed });
    expect(transition(policy(), afterNatural, proposed(enter(), 2))).toStrictEqual({
      state: closing({ step: 2, natural: true }),
      effects: [blocked("s"), append(end(1, completed))],
    });
    const afterMaxTokens = proposing([steer("s")], { step: 2, natural: true, outcome: maxTokens });
    expect(transition(policy(), afterMaxTokens, proposed(enter(), 2))).toStrictEqual({
      state: closing({ step: 2, natural: true, outcome: maxTokens }),
      effects: [blocked("s"), append(end(1, maxTokens))],
    });
  });

  test("transition() answers the tools even when nobody enters", () => {
    expect(transition(policy(), proposing([steer("s")], { step: 2 }), proposed(enter(), 2))).toStrictEqual({
      state: driving({ step: 2 }),
      effects: [blocked("s"), runStep(2)],
    });
  });

  test("transition() refuses a message that is still pending and leaves it out", () => {
    const state = proposing([followUp("f")], {}, { nextTurn: [queued("q")] });
    const input = proposed(enter(queued("q"), followUp("f")));
    expect(transition(policy(), state, input)).toStrictEqual({
      state: driving({}, { nextTurn: [queued("q")] }),
      effects: [{ type: "refused", input, reason: "still-pending" }, entered(followUp("f")), runStep(1, followUp("f"))],
    });
    const only = proposed(enter(queued("q")));
    expect(transition(policy(), state, only)).toStrictEqual({
      state: closing({}, { nextTurn: [queued("q")] }),
      effects: [{ type: "refused", input: only, reason: "still-pending" }, blocked("f"), append(end(1, completed))],
    });
  });

  test("transition() enters a message once, however often it is named", () => {
    const twice = proposed(enter(followUp("f"), followUp("f")));
    expect(transition(policy(), proposing([followUp("f")]), twice).effects).toStrictEqual([
      entered(followUp("f")),
      runStep(1, followUp("f")),
    ]);
  });
});

describe("stepped", () => {
  const pending = { nextStep: [context("c")], nextTurn: [followUp("f")] };

  test("transition() aborts a stopped turn, whatever the step brought", () => {
    for (const outcome of ["continue", "completed", "max-tokens", "failed"] as const) {
      expect(transition(policy(), driving({ stop }, pending), stepped(outcome))).toStrictEqual({
        state: closing({ stop, outcome: aborted }, pending),
        effects: [append(end(1, aborted))],
      });
    }
  });

  test("transition() fails the turn with its step, also after max-tokens", () => {
    expect(
      transition(policy(), driving({ natural: true, outcome: maxTokens }, pending), stepped("failed")),
    ).toStrictEqual({
      state: closing({ natural: true, outcome: failed }, pending),
      effects: [append(end(1, failed))],
    });
  });

  test("transition() goes on after tools, with next-step or with nothing", () => {
    expect(transition(policy(), driving({ natural: true }, pending), stepped("continue"))).toStrictEqual({
      state: proposing([context("c")], { step: 2 }, { nextTurn: [followUp("f")] }),
      effects: [claimed("c"), propose(2, context("c"))],
    });
    expect(transition(policy({ claim: "all" }), driving({}), stepped("continue"))).toStrictEqual({
      state: proposing([], { step: 2 }),
      effects: [propose(2)],
    });
  });

  test("transition() closes at a natural end and leaves context for the next claim", () => {
    for (const kind of ["completed", "max-tokens"] as const) {
      expect(transition(policy(), driving({}, pending), stepped(kind))).toStrictEqual({
        state: closing({ natural: true, outcome: { kind } }, pending),
        effects: [append(end(1, { kind }))],
      });
    }
  });

  test("transition() takes another step at a natural end for a waking message, with the whole lane", () => {
    const steered = { nextStep: [context("c"), steer("s")], nextTurn: [followUp("f")] };
    expect(transition(policy(), driving({}, steered), stepped("completed"))).toStrictEqual({
      state: proposing(
        [context("c"), steer("s")],
        { step: 2, natural: true, outcome: completed },
        { nextTurn: [followUp("f")] },
      ),
      effects: [claimed("c"), claimed("s"), propose(2, context("c"), steer("s"))],
    });
  });

  test("transition() keeps max-tokens to the end of the turn", () => {
    const first = transition(policy(), driving({}, { nextStep: [steer("s")] }), stepped("max-tokens")).state;
    const second = transition(policy(), first, proposed(enter(steer("s")), 2)).state;
    const third = transition(policy(), second, stepped("continue", 2)).state;
    const fourth = transition(policy(), third, proposed(enter(), 3)).state;
    expect(transition(policy(), fourth, stepped("completed", 3))).toStrictEqual({
      state: closing({ step: 3, natural: true, outcome: maxTokens }),
      effects: [append(end(1, maxTokens))],
    });
  });
});
