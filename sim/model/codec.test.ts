import fc from "fast-check";
import { expect, expectTypeOf, test } from "vitest";
import { fastCodec, plainCodec } from "./codec.ts";
import {
  flag,
  integer,
  type Literal,
  list,
  mapOf,
  oneOf,
  option,
  optional,
  record,
  type Schema,
  SchemaError,
  type Shape,
  type TypeOf,
  variants,
} from "./schema.ts";

const message = record({ id: oneOf("a", "b", "c"), wake: flag, turn: optional(integer(1, 3)) });
const agent = record({
  phase: variants("kind", {
    idle: {},
    running: { turn: integer(1, 9), batch: list(message, 2), stop: option(record({ cause: oneOf("user", "limit") })) },
  }),
  inbox: list(message, 3),
  leases: mapOf(["x", "y", "z"], record({ fence: integer(-2, 40_000) })),
  disposed: flag,
});
type Agent = TypeOf<typeof agent>;

const busy: Agent = {
  phase: { kind: "running", turn: 9, batch: [{ id: "c", wake: true, turn: 2 }], stop: { cause: "limit" } },
  inbox: [
    { id: "a", wake: true },
    { id: "b", wake: false, turn: 3 },
  ],
  leases: new Map([
    ["z", { fence: -2 }],
    ["x", { fence: 40_000 }],
  ]),
  disposed: false,
};

const codecs = [
  { name: "plainCodec()", of: plainCodec },
  { name: "fastCodec()", of: fastCodec },
];

function packed<T>(codec: { readonly words: number; encode(state: T, into: Int32Array, at: number): void }, state: T) {
  const words = new Int32Array(codec.words).fill(-1);
  codec.encode(state, words, 0);
  return words;
}

test("a schema gives the type of its values", () => {
  type Message = { readonly id: "a" | "b" | "c"; readonly wake: boolean; readonly turn?: number };
  expectTypeOf<TypeOf<typeof message>>().toEqualTypeOf<Message>();
  expectTypeOf<Agent["phase"]["kind"]>().toEqualTypeOf<"idle" | "running">();
  expectTypeOf<Agent["leases"]>().toEqualTypeOf<ReadonlyMap<"x" | "y" | "z", { readonly fence: number }>>();
});

test.each(codecs)("$name gives back an equal state, and the order of a map", ({ of }) => {
  const codec = of(agent);
  const back = codec.decode(packed(codec, busy), 0);
  expect(back).toStrictEqual(busy);
  expect([...back.leases.keys()]).toEqual(["z", "x"]);
  expect(codec.bits).toBe(1 + (4 + 2 + 12 + 2) + (2 + 18) + (2 + 3 * (2 + 16)) + 1);
});

test.each(codecs)("$name writes equal words for equal states, whatever was there before", ({ of }) => {
  const codec = of(agent);
  const idle: Agent = { ...busy, phase: { kind: "idle" }, inbox: [], leases: new Map() };
  expect(packed(codec, idle)).toEqual(packed(codec, structuredClone(idle)));
  expect(packed(codec, idle)).not.toEqual(packed(codec, busy));
});

const misfits: readonly [string, Schema<unknown>, unknown, string][] = [
  ["above", record({ at: integer(0, 7) }), { at: 8 }, "state.at: expected a whole number from 0 to 7, found 8"],
  ["below", integer(2, 3), 1, "state: expected a whole number from 2 to 3, found 1"],
  ["far above", integer(2, 3), 2 ** 32 + 2, "found 4294967298"],
  ["fraction", integer(0, 7), 1.5, "found 1.5"],
  ["digits", integer(0, 7), "3", 'found "3"'],
  ["bigint", integer(0, 7), 3n, "found 3n"],
  ["NaN", integer(0, 7), Number.NaN, "found NaN"],
  ["literal", oneOf("a", 1, null), true, 'expected one of "a", 1, null, found true'],
  ["list", list(flag, 2), [true, true, true], 'state: expected a list of at most 2, found "3 of them"'],
  ["item", list(flag, 2), [true, 0], "state[1]: expected one of false, true, found 0"],
  ["no list", list(flag, 2), { length: 0 }, "expected a list, found an object"],
  ["missing", record({ a: flag }), {}, "state.a: expected one of false, true, found undefined"],
  ["too much", record({ a: flag }), { a: true, b: 1 }, 'state: expected no field but a, found "b"'],
  [
    "undefined",
    record({ a: optional(flag) }),
    { a: undefined },
    "state.a: expected one of false, true, found undefined",
  ],
  ["no object", record({ a: flag }), null, "state: expected an object, found null"],
  ["tag", variants("kind", { a: {}, b: {} }), { kind: "c" }, 'state.kind: expected one of "a", "b", found "c"'],
  ["variant", variants("kind", { a: {}, b: { n: flag } }), { kind: "a", n: true }, 'no field but kind, found "n"'],
  ["key", mapOf(["x"], flag), new Map([["y", true]]), 'state: expected no key but x, found "y"'],
  ["entry", mapOf(["x"], flag), new Map([["x", 1]]), 'state.get("x"): expected one of false, true, found 1'],
  ["no map", mapOf(["x"], flag), {}, "state: expected a Map, found an object"],
  ["option", option(flag), undefined, "state: expected one of false, true, found undefined"],
];

test.each(misfits)("both codecs name what does not fit: %s", (_name, schema, value, text) => {
  for (const { of } of codecs) {
    expect(() => packed(of(schema), value)).toThrow(SchemaError);
    expect(() => packed(of(schema), value)).toThrow(text);
  }
});

test("schemas that cannot be are refused", () => {
  expect(() => integer(3, 2)).toThrow("Cannot make integer(3, 2)");
  expect(() => integer(0, 2 ** 32)).toThrow(SchemaError);
  expect(() => oneOf("a", "a")).toThrow("none twice");
  expect(() => oneOf()).toThrow("at least one value");
  expect(() => list(flag, -1)).toThrow("Cannot make a list of at most -1");
  expect(() => variants("kind", { a: { kind: flag } })).toThrow('"kind" is its tag and a field');
  expect(() => record({ valueOf: flag })).toThrow('a field "valueOf"');
  expect(() => mapOf(["x", "x"], flag)).toThrow("a key is there twice");
});

test("integers use all 32 bits, across two words", () => {
  const wide = record({
    skew: integer(0, 5),
    low: integer(-(2 ** 31), 2 ** 31 - 1),
    high: integer(2 ** 40, 2 ** 40 + 9),
  });
  const state = { skew: 5, low: -(2 ** 31) + 1, high: 2 ** 40 + 9 };
  for (const { of } of codecs) {
    const codec = of(wide);
    expect(codec.words).toBe(2);
    expect(codec.decode(packed(codec, state), 0)).toEqual(state);
    expect(codec.decode(packed(codec, { ...state, low: 2 ** 31 - 1 }), 0).low).toBe(2 ** 31 - 1);
  }
});

test("both codecs agree on random states of random schemas", () => {
  const cases = shapes(3).chain((shape) => fc.tuple(fc.constant(shape), fc.array(values(shape), { minLength: 1 })));
  const property = fc.property(cases, ([shape, states]) => {
    const plain = plainCodec({ shape });
    const fast = fastCodec({ shape });
    for (const state of states) {
      const words = packed(plain, state);
      expect(packed(fast, state)).toEqual(words);
      expect(plain.decode(words, 0)).toStrictEqual(state);
      expect(fast.decode(words, 0)).toStrictEqual(state);
    }
  });
  fc.assert(property, { numRuns: 400, seed: 7 });
});

const literals: readonly Literal[] = ["a", 'b"\\', "", 0, -1, 2.5, true, false, null];
const names = ["a", "b c", "d-e", "7"];

function shapes(depth: number): fc.Arbitrary<Shape> {
  const integers = fc
    .tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.oneof(fc.nat(20), fc.nat(2 ** 31), fc.constant(2 ** 32 - 1)))
    .map(([min, span]): Shape => ({ kind: "integer", min, max: min + span }));
  const ones = fc.subarray([...literals], { minLength: 1 }).map((values): Shape => ({ kind: "one-of", values }));
  if (depth === 0) return fc.oneof(integers, ones);
  const inner = shapes(depth - 1);
  const fields = fc
    .subarray(names)
    .chain((chosen) =>
      fc.tuple(...chosen.map((name) => fc.record({ name: fc.constant(name), shape: inner, optional: fc.boolean() }))),
    );
  return fc.oneof(
    integers,
    ones,
    // An option of null would have two nulls.
    inner.filter((some) => !nullable(some)).map((some): Shape => ({ kind: "option", some })),
    fc.tuple(inner, fc.nat(3)).map(([item, most]): Shape => ({ kind: "list", item, most })),
    fields.map((fields): Shape => ({ kind: "record", fields })),
    fc.array(fields, { minLength: 1, maxLength: 3 }).map(
      (all): Shape => ({
        kind: "variants",
        tag: "kind",
        cases: all.map((fields, index) => ({ value: `v${index}`, fields })),
      }),
    ),
    fc.tuple(fc.subarray(names), inner).map(([keys, value]): Shape => ({ kind: "map", keys, value })),
  );
}

function nullable(shape: Shape): boolean {
  return shape.kind === "option" || (shape.kind === "one-of" && shape.values.includes(null));
}

function values(shape: Shape): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case "integer":
      return fc
        .oneof(fc.integer({ min: 0, max: Math.min(20, shape.max - shape.min) }), fc.constant(shape.max - shape.min))
        .map((rank) => shape.min + rank);
    case "one-of":
      return fc.constantFrom(...shape.values);
    case "option":
      return fc.option(values(shape.some));
    case "list":
      return fc.array(values(shape.item), { maxLength: shape.most });
    case "record":
      return objects(shape.fields, {});
    case "variants":
      return fc.oneof(...shape.cases.map(({ value, fields }) => objects(fields, { [shape.tag]: value })));
    case "map":
      return fc
        .shuffledSubarray([...shape.keys])
        .chain((keys) => fc.tuple(...keys.map((key) => fc.tuple(fc.constant(key), values(shape.value)))))
        .map((entries) => new Map(entries));
  }
}

function objects(
  fields: readonly { name: string; shape: Shape; optional: boolean }[],
  before: object,
): fc.Arbitrary<unknown> {
  const required = fields.filter(({ optional }) => !optional).map(({ name }) => name);
  const model = Object.fromEntries(fields.map(({ name, shape }) => [name, values(shape)]));
  return fc
    .record(model, { requiredKeys: required, noNullPrototype: true })
    .map((object) => ({ ...before, ...object }));
}
