import fc from "fast-check";
import { expect, test } from "vitest";
import { BitReader, BitsError, BitWriter, bitWidth } from "./bits.ts";

test("BitReader reads back what BitWriter wrote", () => {
  const part = fc.oneof(
    fc.record({ kind: fc.constant("count"), value: fc.nat({ max: Number.MAX_SAFE_INTEGER - 1 }) }),
    fc.record({ kind: fc.constant("count"), value: fc.nat({ max: 9 }) }),
    fc.record({ kind: fc.constant("bits"), value: fc.nat({ max: 2 ** 31 - 1 }) }),
    fc.record({ kind: fc.constant("flag"), value: fc.nat({ max: 1 }) }),
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const writer = new BitWriter();
      for (const { kind, value } of parts) {
        if (kind === "count") writer.count(value);
        else if (kind === "bits") writer.bits(value, 31);
        else writer.flag(value === 1);
      }
      const reader = new BitReader(writer.bytes());
      for (const { kind, value } of parts) {
        if (kind === "count") expect(reader.count()).toBe(value);
        else if (kind === "bits") expect(reader.bits(31)).toBe(value);
        else expect(reader.flag()).toBe(value === 1);
      }
      expect(reader.left).toBeLessThan(8);
    }),
  );
});

test("BitReader reads back every string", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.constant("lone \ud800")), (text) => {
      const writer = new BitWriter();
      writer.text(text);
      expect(new BitReader(writer.bytes()).text()).toBe(text);
    }),
  );
});

test("BitReader refuses a length beyond its end", () => {
  const writer = new BitWriter();
  writer.count(1_000_000);
  expect(() => new BitReader(writer.bytes()).length()).toThrow("it ends too early");
});

test("BitWriter packs the first bit highest", () => {
  const writer = new BitWriter();
  writer.flag(true);
  writer.bits(0b01, 2);
  writer.count(2);
  expect([...writer.bytes()]).toEqual([0b10101100]);
});

test("BitReader refuses to read past the end, and a number that never begins", () => {
  expect(() => new BitReader(new Uint8Array(1)).bits(9)).toThrow(BitsError);
  expect(() => new BitReader(new Uint8Array(100)).count()).toThrow("a number is too long");
});

test("bitWidth() counts bits", () => {
  expect([0, 1, 2, 3, 4, 255, 256, 2 ** 40].map(bitWidth)).toEqual([0, 1, 2, 2, 3, 8, 9, 41]);
});
