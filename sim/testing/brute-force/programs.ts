/** Random programs, small enough for every order of theirs to be run; fast-check shrinks those that fail. */
import fc from "fast-check";
import {
  type Act,
  type Asked,
  type Flow,
  type Instruction,
  ordersMost,
  type Program,
  type Reaction,
} from "./program.ts";

const variable = fc.oneof(
  { arbitrary: fc.constantFrom(0, 1), weight: 3 },
  { arbitrary: fc.constantFrom(2, 3), weight: 1 },
);

const write = fc.record({ do: fc.constant("write" as const), variable });
const reaction: fc.Arbitrary<Reaction> = fc.oneof(
  { arbitrary: write, weight: 3 },
  { arbitrary: fc.constantFrom({ do: "signal" as const }, { do: "abort" as const }), weight: 1 },
);

const touching: fc.Arbitrary<Act> = fc.oneof(
  { arbitrary: fc.record({ do: fc.constant("read" as const), variable }), weight: 4 },
  { arbitrary: write, weight: 4 },
  { arbitrary: fc.constantFrom<Act>({ do: "signal" }, { do: "abort" }, { do: "dispatch" }, { do: "look" }), weight: 3 },
  { arbitrary: fc.record({ do: fc.constant("note" as const), event: fc.constantFrom(0, 1) }), weight: 1 },
  {
    arbitrary: fc.record({
      do: fc.constant("listen" as const),
      to: fc.constantFrom("signal", "follower", "target"),
      then: reaction,
    }),
    weight: 1,
  },
);
const rare: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constant("draw" as const), from: fc.constantFrom("world", "math", "crypto") }),
  fc.constantFrom<Act>({ do: "clock", of: "Date" }, { do: "clock", of: "world" }, { do: "clear" }, { do: "clear" }),
  fc.record({ do: fc.constant("pick" as const), of: fc.constant(2) }),
  fc.record({
    do: fc.constant("arm" as const),
    afterMs: fc.constantFrom(null, 1, 5),
    times: fc.constant(1),
    then: reaction,
  }),
  fc.record({
    do: fc.constant("arm" as const),
    afterMs: fc.constantFrom(null, 5),
    times: fc.constantFrom(1, 3),
    then: reaction,
  }),
  fc.record({ do: fc.constant("refuse" as const), variable, remainder: fc.constant(0) }),
);
const act: fc.Arbitrary<Act> = fc.oneof({ arbitrary: touching, weight: 3 }, { arbitrary: rare, weight: 1 });

const asked: fc.Arbitrary<Asked> = fc.record({
  source: fc.oneof(
    { arbitrary: fc.constant("inherited" as const), weight: 2 },
    { arbitrary: fc.constantFrom("helper", "shared"), weight: 1 },
  ),
  label: fc.constantFrom("a", "b"),
  declares: mostly(true),
  may: fc.oneof(
    { arbitrary: fc.constant("arrive" as const), weight: 8 },
    { arbitrary: fc.constantFrom("fail", "fail", "hang"), weight: 1 },
  ),
});
const way = fc.record({ asked, then: fc.array(act, { maxLength: 1 }) });

/** A critical section is written out, so that a lock is given back more often than not. */
const pause: fc.Arbitrary<readonly Instruction[]> = fc.oneof(
  {
    arbitrary: fc.record({ do: fc.constantFrom("io" as const, "delay" as const), asked }).map((each) => [each]),
    weight: 6,
  },
  {
    arbitrary: fc
      .record({ do: fc.constant("fork" as const), ways: fc.tuple(way, way), joins: fc.boolean() })
      .map((each) => [each]),
    weight: 2,
  },
  {
    arbitrary: fc.tuple(asked, fc.array(touching, { maxLength: 2 })).map(([asked, acts]): readonly Instruction[] => {
      return [{ do: "acquire" }, { do: "io", asked }, ...acts, { do: "release" }];
    }),
    weight: 2,
  },
  { arbitrary: fc.constant([{ do: "wait" as const }]), weight: 1 },
);
/** What follows one wait of a flow, up to the next. */
const stretch = fc.tuple(pause, fc.array(act, { maxLength: 2 })).map(([pause, acts]) => [...pause, ...acts]);

const actor: fc.Arbitrary<Flow> = fc
  .tuple(mostly(true), fc.array(act, { maxLength: 2 }), fc.array(stretch, { minLength: 1, maxLength: 3 }))
  .map(([declares, acts, stretches]) => ({ kind: "actor", declares, blocks: [[...acts, ...stretches.flat()]] }));
const events: fc.Arbitrary<Flow> = fc.record({
  kind: fc.constant("events"),
  declares: mostly(true),
  blocks: fc.array(
    fc
      .tuple(fc.array(act, { maxLength: 2 }), fc.oneof({ arbitrary: fc.constant([]), weight: 3 }, stretch))
      .map(([acts, rest]) => [...acts, ...rest]),
    { minLength: 1, maxLength: 4 },
  ),
});

/** Programs with about `orders` orders at most. */
export function programs(orders: number): fc.Arbitrary<Program> {
  return fc
    .record({
      flows: fc.array(fc.oneof(actor, events), { minLength: 2, maxLength: 4 }),
      conditions: fc.oneof(
        { arbitrary: fc.constant([]), weight: 2 },
        {
          arbitrary: fc.array(
            fc.record({
              when: fc.constantFrom("quiescence", "quiescence", "always"),
              variable,
              remainder: fc.constant(0),
            }),
            { minLength: 1, maxLength: 1 },
          ),
          weight: 1,
        },
      ),
      lazySignal: fc.boolean(),
    })
    .filter((program) => ordersMost(program) <= orders);
}

function mostly(value: boolean): fc.Arbitrary<boolean> {
  return fc.oneof({ arbitrary: fc.constant(value), weight: 4 }, { arbitrary: fc.constant(!value), weight: 1 });
}
