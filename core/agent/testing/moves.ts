import fc from "fast-check";
import type { AgentPolicy } from "../state.ts";
import type { Move } from "./model-host.ts";

/** Small worlds on purpose: five ids and a handful of moves already reach every row of the table. */

export const policies: fc.Arbitrary<AgentPolicy> = fc.record({
  parking: fc.constantFrom("unlatched", "all"),
  afterFailure: fc.constantFrom("park", "drain"),
  claim: fc.constantFrom("one", "all"),
});

const id = fc.nat({ max: 4 });
const send = fc.record({ type: fc.constant("send" as const), id, preset: fc.nat({ max: 3 }) });
const retract = fc.record({ type: fc.constant("retract" as const), id });
const cancel = fc.record({ type: fc.constant("cancel" as const), keepInbox: fc.boolean() });
// Reply 0 is the honest one; it comes more often, so that turns get far.
const answer = fc.record({
  type: fc.constant("answer" as const),
  reply: fc.oneof(fc.constant(0), fc.nat({ max: 34 })),
});
const place = { turn: fc.integer({ min: -1, max: 2 }), step: fc.constant(99) };
const stale: fc.Arbitrary<Move> = fc.record({
  type: fc.constant("stale" as const),
  input: fc.oneof(
    fc.record({ type: fc.constant("maintained" as const), activity: fc.constant("nobody's") }),
    fc.record({ type: fc.constant("stepped" as const), ...place, outcome: fc.constant("failed" as const) }),
    fc.record({ type: fc.constant("proposed" as const), ...place, decision: fc.constant({ kind: "reject" } as const) }),
    fc.record({
      type: fc.constantFrom("written" as const, "write-failed" as const),
      record: fc.record({ type: fc.constant("turn/start" as const), turn: fc.constantFrom(-1, 0, 99) }),
    }),
  ),
});
const rare: fc.Arbitrary<Move> = fc.constantFrom({ type: "dispose" }, { type: "maintain" });
const restart: fc.Arbitrary<Move> = fc.constant({ type: "restart" });

// Without size "max" fast-check keeps the scripts far shorter than their limit.
const living = [
  { weight: 6, arbitrary: send },
  { weight: 9, arbitrary: answer },
  { weight: 2, arbitrary: retract },
  { weight: 2, arbitrary: cancel },
  { weight: 1, arbitrary: rare },
  { weight: 1, arbitrary: stale },
];

export const moves: fc.Arbitrary<readonly Move[]> = fc.array(fc.oneof(...living), { maxLength: 40, size: "max" });
export const movesWithRestarts: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.oneof(...living, { weight: 1, arbitrary: restart }),
  { maxLength: 40, size: "max" },
);
