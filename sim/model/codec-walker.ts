/** The slow and obvious codec: one pair of closures for every place of a state. It names what does not fit, with its path. */
import { describeValue } from "../words.ts";
import { bitsFor, bitsOf, placed } from "./layout.ts";
import { type Field, SchemaError, type Shape } from "./schema.ts";

export type Walker = {
  /** The bits of the place are zero before. */
  encode(value: unknown, into: Int32Array, at: number): void;
  decode(from: Int32Array, at: number): unknown;
};

/** `bit` is where the place starts, counted from the state's first word. */
export function walker(shape: Shape, path: string, bit: number): Walker {
  switch (shape.kind) {
    case "integer":
      return integerWalker(shape, path, bit);
    case "one-of":
      return oneOfWalker(shape, path, bit);
    case "option":
      return optionWalker(shape, path, bit);
    case "list":
      return listWalker(shape, path, bit);
    case "record":
      return recordWalker(shape.fields, path, bit);
    case "variants":
      return variantsWalker(shape, path, bit);
    case "map":
      return mapWalker(shape, path, bit);
  }
}

type Of<Kind extends Shape["kind"]> = Extract<Shape, { readonly kind: Kind }>;

function integerWalker({ min, max }: Of<"integer">, path: string, bit: number): Walker {
  const bits = bitsFor(max - min + 1);
  return {
    encode(value, into, at) {
      if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max) {
        throw misfit(path, `a whole number from ${min} to ${max}`, value);
      }
      put(into, at, bit, bits, value - min);
    },
    decode: (from, at) => get(from, at, bit, bits) + min,
  };
}

function oneOfWalker({ values }: Of<"one-of">, path: string, bit: number): Walker {
  const known: readonly unknown[] = values;
  const bits = bitsFor(values.length);
  return {
    encode(value, into, at) {
      const index = known.indexOf(value);
      if (index < 0) throw misfit(path, `one of ${values.map(describeValue).join(", ")}`, value);
      put(into, at, bit, bits, index);
    },
    decode: (from, at) => values[get(from, at, bit, bits)],
  };
}

function optionWalker({ some }: Of<"option">, path: string, bit: number): Walker {
  const inner = walker(some, path, bit + 1);
  return {
    encode(value, into, at) {
      if (value === null) return;
      put(into, at, bit, 1, 1);
      inner.encode(value, into, at);
    },
    decode: (from, at) => (get(from, at, bit, 1) === 0 ? null : inner.decode(from, at)),
  };
}

function listWalker({ item, most }: Of<"list">, path: string, bit: number): Walker {
  const lengthBits = bitsFor(most + 1);
  const width = bitsOf(item);
  const places = Array.from({ length: most }, (_, index) =>
    walker(item, `${path}[${index}]`, bit + lengthBits + index * width),
  );
  return {
    encode(value, into, at) {
      if (!Array.isArray(value)) throw misfit(path, "a list", value);
      if (value.length > most) throw misfit(path, `a list of at most ${most}`, `${value.length} of them`);
      put(into, at, bit, lengthBits, value.length);
      for (const [index, place] of places.slice(0, value.length).entries()) place.encode(value[index], into, at);
    },
    decode: (from, at) => places.slice(0, get(from, at, bit, lengthBits)).map((place) => place.decode(from, at)),
  };
}

function recordWalker(fields: readonly Field[], path: string, bit: number, tag: string | null = null): Walker {
  const places = placed(fields, bit).map(({ name, shape, optional, bit }) => ({
    name,
    optional,
    bit,
    place: walker(shape, `${path}.${name}`, optional ? bit + 1 : bit),
  }));
  const known = new Set([...fields.map(({ name }) => name), ...(tag === null ? [] : [tag])]);
  return {
    encode(value, into, at) {
      const own = entriesOf(path, value);
      for (const name of own.keys()) {
        // Something that is not packed would be lost without a word.
        if (!known.has(name)) throw misfit(path, `no field but ${[...known].join(", ")}`, name);
      }
      for (const { name, optional, bit, place } of places) {
        if (optional && !own.has(name)) continue;
        if (optional) put(into, at, bit, 1, 1);
        place.encode(own.get(name), into, at);
      }
    },
    decode(from, at) {
      const there = places.filter(({ optional, bit }) => !optional || get(from, at, bit, 1) === 1);
      return Object.fromEntries(there.map(({ name, place }) => [name, place.decode(from, at)]));
    },
  };
}

function variantsWalker({ tag, cases }: Of<"variants">, path: string, bit: number): Walker {
  const bits = bitsFor(cases.length);
  const walkers = cases.map(({ value, fields }) => ({ value, fields: recordWalker(fields, path, bit + bits, tag) }));
  return {
    encode(value, into, at) {
      const found = entriesOf(path, value).get(tag);
      const index = walkers.findIndex(({ value }) => value === found);
      const variant = walkers[index];
      if (!variant) {
        throw misfit(`${path}.${tag}`, `one of ${cases.map(({ value }) => describeValue(value)).join(", ")}`, found);
      }
      put(into, at, bit, bits, index);
      variant.fields.encode(value, into, at);
    },
    decode(from, at) {
      const variant = walkers[get(from, at, bit, bits)];
      return variant && Object.assign({ [tag]: variant.value }, variant.fields.decode(from, at));
    },
  };
}

function mapWalker({ keys, value: item }: Of<"map">, path: string, bit: number): Walker {
  const known: readonly unknown[] = keys;
  const sizeBits = bitsFor(keys.length + 1);
  const keyBits = bitsFor(keys.length);
  const width = keyBits + bitsOf(item);
  const places = keys.map((_, index) => {
    const start = bit + sizeBits + index * width;
    return { start, of: keys.map((key) => walker(item, `${path}.get("${key}")`, start + keyBits)) };
  });
  return {
    encode(value, into, at) {
      if (!(value instanceof Map)) throw misfit(path, "a Map", value);
      const entries: [unknown, unknown][] = [...value];
      for (const [key] of entries) {
        if (!known.includes(key)) throw misfit(path, `no key but ${keys.join(", ")}`, key);
      }
      put(into, at, bit, sizeBits, entries.length);
      for (const [index, [key, item]] of entries.entries()) {
        const number = known.indexOf(key);
        const place = places[index];
        if (place) put(into, at, place.start, keyBits, number);
        place?.of[number]?.encode(item, into, at);
      }
    },
    decode(from, at) {
      const entries = places.slice(0, get(from, at, bit, sizeBits)).map(({ start, of }) => {
        const number = get(from, at, start, keyBits);
        return [keys[number], of[number]?.decode(from, at)] as const;
      });
      return new Map(entries);
    },
  };
}

function entriesOf(path: string, value: unknown): ReadonlyMap<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw misfit(path, "an object", value);
  return new Map(Object.entries(value));
}

function misfit(path: string, expected: string, found: unknown): SchemaError {
  return new SchemaError(`Cannot pack ${path}: expected ${expected}, found ${describeValue(found)}`);
}

/** Up to 32 bits, which may lie across two words. */
function put(into: Int32Array, at: number, bit: number, bits: number, value: number): void {
  if (bits === 0) return;
  const word = at + (bit >>> 5);
  const shift = bit & 31;
  into[word] = (into[word] ?? 0) | (value << shift);
  if (shift + bits > 32) into[word + 1] = (into[word + 1] ?? 0) | (value >>> (32 - shift));
}

function get(from: Int32Array, at: number, bit: number, bits: number): number {
  if (bits === 0) return 0;
  const word = at + (bit >>> 5);
  const shift = bit & 31;
  const low = (from[word] ?? 0) >>> shift;
  const both = shift + bits > 32 ? low | ((from[word + 1] ?? 0) << (32 - shift)) : low;
  return bits === 32 ? both >>> 0 : both & ((1 << bits) - 1);
}
