/**
 * States as words, in two ways that agree: `plainCodec()` walks the schema with closures and says exactly what does not fit;
 * `fastCodec()` compiles it to straight code, several times faster, and asks the plain one for the words of an error.
 */
import { generated } from "./codec-source.ts";
import { walker } from "./codec-walker.ts";
import { bitsOf } from "./layout.ts";
import type { Schema } from "./schema.ts";

export type Codec<State> = {
  readonly bits: number;
  /** 32-bit words of one packed state; at least one. */
  readonly words: number;
  /** Writes `words` words from `at` on. Throws SchemaError, with the path, for a value outside of the schema. */
  encode(state: State, into: Int32Array, at: number): void;
  /** A new plain object, equal to the one that was encoded. */
  decode(from: Int32Array, at: number): State;
};

export function plainCodec<State>(schema: Schema<State>): Codec<State>;
export function plainCodec({ shape }: Schema<unknown>): Codec<unknown> {
  const bits = bitsOf(shape);
  const words = wordsOf(bits);
  const walk = walker(shape, "state", 0);
  return {
    bits,
    words,
    encode(state, into, at) {
      into.fill(0, at, at + words);
      walk.encode(state, into, at);
    },
    decode: walk.decode,
  };
}

export function fastCodec<State>(schema: Schema<State>): Codec<State>;
export function fastCodec(schema: Schema<unknown>): Codec<unknown> {
  const plain = plainCodec(schema);
  const { pack, unpack } = generated(schema.shape, plain.words);
  return {
    bits: plain.bits,
    words: plain.words,
    encode(state, into, at) {
      if (pack(state, into, at)) return;
      plain.encode(state, into, at);
      throw new Error("Broken assertion: compiled code refuses a state that its schema takes");
    },
    decode: unpack,
  };
}

function wordsOf(bits: number): number {
  return Math.max(1, Math.ceil(bits / 32));
}
