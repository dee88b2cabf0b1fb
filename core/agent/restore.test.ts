import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InputError } from "../shape.ts";
import { RestoreError, restore } from "./restore.ts";
import type { AgentRecord, AgentState } from "./state.ts";
import { isTurnRecord, play } from "./testing/model-host.ts";
import { moves, movesWithRestarts, policies } from "./testing/moves.ts";
import {
  blocked,
  canceled,
  claimed,
  completed,
  context,
  end,
  entered,
  followUp,
  idle,
  inserted,
  queued,
  restored,
  start,
  steer,
} from "./testing/states.ts";
import { initialState } from "./transition.ts";

const log = (...lines: readonly (AgentRecord | { readonly record: AgentRecord })[]): readonly AgentRecord[] =>
  lines.map((line) => ("record" in line ? line.record : line));
const interrupted = { kind: "interrupted" } as const;

describe("restore", () => {
  test("restore() of an empty log is the initial state", () => {
    expect(restore([])).toStrictEqual(initialState);
  });

  test("restore() parks what is pending", () => {
    const records = log(inserted(followUp("a")), inserted(context("c")), inserted(queued("b")), canceled("b"));
    expect(restore(records)).toStrictEqual(idle({ nextTurn: [followUp("a")], nextStep: [context("c")] }));
  });

  test("restore() returns an open batch to the heads of its lanes and leaves the turn to be closed", () => {
    const records = log(
      inserted(steer("s")),
      inserted(followUp("a")),
      start(1),
      claimed("s"),
      claimed("a"),
      inserted(steer("t")),
      inserted(followUp("b")),
    );
    expect(restore(records)).toStrictEqual(
      idle({
        nextStep: [steer("s"), steer("t")],
        nextTurn: [followUp("a"), followUp("b")],
        lastTurn: 1,
        unwritten: end(1, interrupted),
      }),
    );
  });

  test("restore() forgets what entered, was blocked or went back", () => {
    const records = log(inserted(steer("s")), inserted(followUp("a")), start(1), claimed("s"), claimed("a"));
    const rest = [...records, ...log(blocked("s"), entered(followUp("a")))];
    expect(restore([...rest, end(1, completed)])).toStrictEqual(idle({ lastTurn: 1 }));
    const back = [...records, ...log(restored(steer("s"), followUp("a")), end(1, { kind: "aborted", cause: "user" }))];
    expect(restore(back)).toStrictEqual(idle({ lastTurn: 1, nextStep: [steer("s")], nextTurn: [followUp("a")] }));
  });

  test("restore() returns the batch of a turn that an earlier crash interrupted", () => {
    const crashed = log(inserted(followUp("a")), start(1), claimed("a"));
    const again = [...crashed, ...log(inserted(followUp("b")), end(1, interrupted), start(2), claimed("a", 2))];
    expect(restore(again)).toStrictEqual(
      idle({ nextTurn: [followUp("a"), followUp("b")], lastTurn: 2, unwritten: end(2, interrupted) }),
    );
    // In the new process the message was pending, so it could be retracted before the old turn was closed.
    expect(restore([...crashed, ...log(canceled("a"), end(1, interrupted))])).toStrictEqual(idle({ lastTurn: 1 }));
  });

  test("restore() takes ids for what they are", () => {
    const records = log(inserted(followUp("__proto__")), inserted(context("constructor")), canceled("constructor"));
    expect(restore(records)).toStrictEqual(idle({ nextTurn: [followUp("__proto__")] }));
  });

  const open = log(inserted(followUp("a")), inserted(followUp("b")), inserted(context("c")), start(1));
  const full = [...open, ...log(claimed("c"), claimed("a"))];
  const impossible: readonly (readonly [why: string, log: readonly AgentRecord[]])[] = [
    ["an id that is pending", log(inserted(queued("a")), inserted(steer("a")))],
    ["an id in the open batch", [...full, inserted(followUp("a")).record]],
    ["a turn inside a turn", log(start(1), start(2))],
    ["a turn out of order", log(start(2))],
    ["a turn that was there", log(start(1), end(1, completed), start(1))],
    ["an end without a start", log(end(1, completed))],
    ["the end of another turn", log(start(1), end(2, completed))],
    ["a claim between turns", log(inserted(followUp("a")), claimed("a"))],
    ["a claim of another turn", [...open, claimed("c", 2).record]],
    ["a claim of nothing", [...open, claimed("z").record]],
    ["a claim that overtakes context", [...open, claimed("a").record]],
    ["a claim that overtakes a prompt", [...open, ...log(claimed("c"), claimed("b"))]],
    ["a claim before the last batch is settled", [...full, ...log(inserted(steer("s")), claimed("s"))]],
    [
      "a prompt claimed by a later step",
      [...full, ...log(entered(context("c")), entered(followUp("a")), claimed("b"))],
    ],
    ["a cancellation of nothing", log(canceled("a"))],
    ["a block of what was not claimed", [...open, blocked("a").record]],
    ["a block by another turn", [...full, blocked("a", 2).record]],
    ["a return of what was not claimed", [...open, restored(followUp("a")).record]],
    ["a return of half the batch", [...full, restored(followUp("a")).record]],
    ["a return in another order", [...full, restored(followUp("a"), context("c")).record]],
    ["an entry between turns", log(entered(followUp("a")))],
    ["an entry in another turn", [...full, entered(followUp("a"), 1, 2).record]],
    ["an entry of what is pending", [...full, entered(followUp("b")).record]],
    ["an entry twice", [...full, ...log(entered(followUp("a")), entered(followUp("a")))]],
    [
      "an entry in a step that is over",
      [...full, ...log(entered(followUp("a")), entered(context("c"), 2), entered(context("d")))],
    ],
    ["a first entry in a later step", [...full, entered(followUp("a"), 2).record]],
  ];

  test.each(impossible)("restore() refuses %s, and names the line", (_, records) => {
    const refusal = caught(() => restore(records));
    expect(refusal.line).toBe(records.length);
    expect(refusal.message).toMatch(`Cannot use line ${records.length}: expected `);
    // Only the last line is at fault.
    expect(() => restore(records.slice(0, -1))).not.toThrow();
  });

  test("restore() refuses what is no record at all", () => {
    const lines: unknown[] = [
      null,
      7,
      "turn/start",
      {},
      { type: "turn/over", turn: 1 },
      { type: "turn/start", turn: Number.NaN },
      { type: "turn/end", turn: 1 },
      { type: "inbox/inserted" },
      { type: "inbox/inserted", message: { lane: "next-turn", wake: true } },
      { type: "inbox/removed", id: "a", outcome: "lost" },
      { type: "inbox/restored" },
      { type: "user/message", turn: 1, step: 1 },
    ];
    for (const line of lines) {
      // The way a log comes in: as text that somebody parsed.
      const records: AgentRecord[] = JSON.parse(JSON.stringify([start(1), line]));
      expect(() => restore(records)).toThrow(/^Cannot use line 2\b/);
    }
    const nothing: AgentRecord[] = JSON.parse("{}");
    expect(() => restore(nothing)).toThrow(new InputError("records", "array", {}));
  });

  test("restore() of the log so far is the live inbox, with the open batch counted back in", () => {
    fc.assert(
      fc.property(policies, moves, (policy, moves) => {
        const emitted: AgentRecord[] = [];
        for (const { input, after, effects } of play(policy, moves).history) {
          // Notes at once, a turn record when it is written: the lanes do not depend on who of them waited.
          if (input.type === "written" && effects[0]?.type !== "stale") emitted.push(input.record);
          for (const effect of effects) {
            if (effect.type === "append" && !isTurnRecord(effect.record)) emitted.push(effect.record);
          }
          const { nextTurn, nextStep, lastTurn } = restore(emitted);
          expect({ nextTurn, nextStep, lastTurn }).toStrictEqual(inboxOf(after));
        }
      }),
      { numRuns: 150 },
    );
  });

  test("restore() reads every prefix of every log, also of one that restarts went through", () => {
    fc.assert(
      fc.property(policies, movesWithRestarts, (policy, moves) => {
        const { log, history } = play(policy, moves);
        for (let lines = 0; lines <= log.length; lines += 1) restore(log.slice(0, lines));
        const last = history.at(-1)?.after ?? initialState;
        const { nextTurn, nextStep, lastTurn } = restore(log);
        expect({ nextTurn, nextStep, lastTurn }).toStrictEqual(inboxOf(last));
      }),
      { numRuns: 300 },
    );
  });
});

function inboxOf({
  phase,
  nextTurn,
  nextStep,
  lastTurn,
}: AgentState): Pick<AgentState, "nextTurn" | "nextStep" | "lastTurn"> {
  const batch = phase.kind === "running" ? phase.batch : [];
  return {
    nextTurn: [...batch.filter(({ lane }) => lane === "next-turn"), ...nextTurn],
    nextStep: [...batch.filter(({ lane }) => lane === "next-step"), ...nextStep],
    lastTurn,
  };
}

function caught(act: () => unknown): RestoreError {
  try {
    act();
  } catch (error) {
    if (error instanceof RestoreError) return error;
    throw error;
  }
  throw new Error("expected a RestoreError");
}
