import fc from "fast-check";
import { expect, test } from "vitest";
import type { Execution, TraceStep } from "../sim/execution.ts";
import { parseName } from "../sim/names.ts";
import { untouchedStep } from "../sim/testing/untouched.ts";
import { decodeChoices, encodeChoices } from "./choices.ts";
import { ReproError } from "./repro.ts";

const bounds = { index: 11, overtakes: 1, stepLimit: 10_000 };

type Placed = Pick<TraceStep, "name" | "chosen" | "tick" | "fault"> & { readonly possible: number };

function executionOf(placed: readonly Placed[], data: readonly number[] = []): Execution {
  const steps = placed.map((step): TraceStep => {
    const possible = Array.from({ length: step.possible }, (_, index) =>
      index === step.chosen ? step.name : `o:${index}#1`,
    );
    return { ...untouchedStep, ...step, possible, nowMs: 0, askedBy: null, notes: [] };
  });
  return { opening: [], steps, data, violation: null, faults: [], ambiguous: [], left: [] };
}

const name = fc
  .tuple(
    fc.oneof(fc.constantFrom("user", "agent"), fc.string({ minLength: 1, unit: "binary" })),
    fc.oneof(fc.constantFrom("model", "send a"), fc.string({ minLength: 1, unit: "binary" })),
    fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER - 1 })),
  )
  .map(([source, label, occurrence]) => `${source.replace(/[:#]/g, ".")}:${label.replace(/#/g, ".")}#${occurrence}`)
  .filter((made) => parseName(made) !== null);
const placed: fc.Arbitrary<Placed> = fc
  .record({
    name,
    possible: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 200 })),
    chosen: fc.nat(),
    tick: fc.oneof(fc.constant(0), fc.nat({ max: 40 })),
    fault: fc.constantFrom(null, null, "fail" as const, "hang" as const),
  })
  .map((step) => ({ ...step, chosen: step.chosen % step.possible }));

test("decodeChoices() reads back every execution that encodeChoices() wrote", () => {
  fc.assert(
    fc.property(fc.array(placed), fc.array(fc.nat()), fc.nat(), (steps, data, index) => {
      const token = encodeChoices(executionOf(steps, data), { ...bounds, index });
      expect(token).toMatch(/^ml1:[A-Za-z0-9_-]+$/);
      expect(decodeChoices(token)).toEqual({ bounds: { ...bounds, index }, steps, data });
    }),
    { numRuns: 300 },
  );
});

test("encodeChoices() keeps 400 steps near 1 kB", () => {
  const labels = [
    "user:send",
    "user:stop",
    "agent:model",
    "agent:append",
    "agent:teardown",
    "lib:timer 5000",
    "ops:pause",
  ];
  const seen = new Map<string, number>();
  const steps = Array.from({ length: 400 }, (_, index): Placed => {
    const label = labels[(index * index + 3 * index) % labels.length] ?? "";
    seen.set(label, (seen.get(label) ?? 0) + 1);
    const possible = 1 + ((index * 7) % 5);
    return {
      name: `${label}#${seen.get(label)}`,
      possible,
      chosen: index % 3 === 0 ? index % possible : 0,
      tick: 0,
      fault: null,
    };
  });
  expect(encodeChoices(executionOf(steps), bounds).length).toBeLessThan(1_024);
});

// Written once and kept: a token of today must be read by every later version.
const golden = encodeChoices(
  executionOf(
    [
      { name: "user:stop#1", possible: 3, chosen: 2, tick: 0, fault: null },
      { name: "agent:model#1", possible: 2, chosen: 0, tick: 4, fault: "fail" },
      { name: "agent:model#2", possible: 1, chosen: 0, tick: 0, fault: "hang" },
    ],
    [0, 5],
  ),
  bounds,
);

test("encodeChoices() writes the same bytes for ever", () => {
  expect(golden).toBe("ml1:GIABOIsXrzy8hsOfLu6MLz6b-GNt35MuyTF-hVVuYK5UBeE");
});

test("decodeChoices() refuses another version, and what is no token", () => {
  expect(() => decodeChoices("ml2:AAAA")).toThrow(
    new ReproError(
      'Cannot read the choices "ml2:AAAA": its version is "2", and this microloom reads version 1; record the repro again',
    ),
  );
  expect(() => decodeChoices("AAAA")).toThrow('it does not begin with "ml1:"');
  expect(() => decodeChoices("ml1:")).toThrow("it ends too early");
  expect(() => decodeChoices(`${golden}=`)).toThrow("it holds characters that do not belong");
  expect(() => decodeChoices(`${golden} `)).toThrow("it holds characters that do not belong");
});

test("decodeChoices() refuses a token that is cut off or changed anywhere", () => {
  for (let length = 0; length < golden.length; length++) {
    expect(() => decodeChoices(golden.slice(0, length))).toThrow(ReproError);
  }
  for (let at = 4; at < golden.length; at++) {
    const changed = golden[at] === "A" ? "B" : "A";
    expect(() => decodeChoices(golden.slice(0, at) + changed + golden.slice(at + 1))).toThrow(ReproError);
  }
});

test("decodeChoices() ends on arbitrary bytes, with a ReproError or choices", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      let hash = 0x811c9dc5;
      for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
      const sum = Buffer.alloc(4);
      sum.writeUInt32BE(hash >>> 0);
      try {
        decodeChoices(`ml1:${Buffer.concat([bytes, sum]).toString("base64url")}`);
      } catch (error) {
        expect(error).toBeInstanceOf(ReproError);
      }
    }),
    { numRuns: 2_000 },
  );
});
