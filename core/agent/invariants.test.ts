import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { invariants } from "./testing/invariants.ts";
import { play, type Run } from "./testing/model-host.ts";
import { moves, policies } from "./testing/moves.ts";
import { atMostOnce, noDroppedWake, replaysWhatIsDue } from "./testing/wakes.ts";

const all = [...invariants, noDroppedWake, replaysWhatIsDue, atMostOnce];

describe("invariants", () => {
  test("transition() keeps every promise that needs no schedule, under every policy, order and fault", () => {
    fc.assert(
      fc.property(policies, moves, (policy, moves) => {
        const run = play(policy, moves);
        for (const { name, why, violation } of all) {
          const found = violation(run);
          if (found !== undefined) throw new Error(`${name}: ${found}\n${why}`);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  // Without these the property above says little, however often it passes.
  const goals = [
    ...["idle", "maintenance", "opening", "proposing", "stepping", "closing"].flatMap((stage) => [
      `wake in ${stage}`,
      `stop in ${stage}`,
      `dispose in ${stage}`,
      `retract in ${stage}`,
    ]),
    "second stop",
    "latch replayed",
    "latched wake during stopped maintenance",
    "two turns in one driver",
    "turn/start refused",
    "turn/end refused",
    "batch given back",
    "steer becomes a prompt",
    "steer enters a later step",
    "empty turn",
  ];

  test("the moves reach every goal", () => {
    const reached = new Set<string>();
    for (const [policy, script] of fc.sample(fc.tuple(policies, moves), { numRuns: 1_000, seed: 7 })) {
      for (const goal of reach(play(policy, script))) reached.add(goal);
    }
    expect(goals.filter((goal) => !reached.has(goal))).toStrictEqual([]);
  });
});

function* reach({ history, log }: Run): Generator<string> {
  for (const { before, input, after, effects } of history) {
    const { phase } = before;
    const stage = phase.kind === "running" ? phase.stage : phase.kind;
    const stopped = phase.kind !== "idle" && phase.stop !== null;
    const starts = effects.some((effect) => effect.type === "status" && effect.status === "running");
    if (input.type === "send" && input.message.wake) {
      yield `wake in ${stage}`;
      if (stage === "maintenance" && stopped) yield "latched wake during stopped maintenance";
      if (input.message.lane === "next-step" && after.nextTurn.length > before.nextTurn.length) {
        yield "steer becomes a prompt";
      }
    }
    if (input.type === "cancel") yield stopped ? "second stop" : `stop in ${stage}`;
    if (input.type === "dispose" && !before.disposed) yield `dispose in ${stage}`;
    if (input.type === "retract" && effects.some(({ type }) => type === "append")) yield `retract in ${stage}`;
    if (stage !== "idle" && starts) yield "latch replayed";
    if (stage === "closing" && after.phase.kind === "running" && after.phase.stage === "opening" && !starts) {
      yield "two turns in one driver";
    }
    for (const effect of effects) if (effect.type === "fault") yield `${effect.record.type} refused`;
  }
  for (const [at, record] of log.entries()) {
    if (record.type === "inbox/restored") yield "batch given back";
    if (record.type === "user/message" && record.step > 1 && record.message.wake) yield "steer enters a later step";
    if (record.type === "turn/start" && log[at + 1]?.type === "turn/end") yield "empty turn";
  }
}
