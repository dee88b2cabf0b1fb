/**
 * Chance from node:crypto and the global crypto, as far as it is asked for synchronously: lengths, bits and refusals are
 * Node's, the bytes come from the execution's stream. What our own check does not know to be right goes through Node's
 * function first, so that every error is the one this Node throws.
 */
import { createRequire } from "node:module";
import { types } from "node:util";
import { original } from "../original.ts";
import type { RealmHost } from "./host.ts";
import { onEach, type Patch, patchesOf } from "./patch.ts";

const nodeCrypto: object = createRequire(import.meta.url)("node:crypto");
const globalCrypto: object = globalThis.crypto;
const webCrypto: object = Reflect.get(nodeCrypto, "webcrypto");
const real = {
  randomUUID: functionOf(nodeCrypto, "randomUUID"),
  randomBytes: functionOf(nodeCrypto, "randomBytes"),
  randomInt: functionOf(nodeCrypto, "randomInt"),
  randomFillSync: functionOf(nodeCrypto, "randomFillSync"),
};

const quotaBytes = 65_536;
const integerArrays: readonly unknown[] = [
  ...["Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array"],
  ...["BigInt64Array", "BigUint64Array"],
];
const bytesMost = 2 ** 31 - 1;
const integerMost = 2 ** 48 - 1;

type Memory = ArrayBufferLike | ArrayBufferView;
type Bits = Pick<RealmHost, "randomBits">;

export function cryptoPatches(host: Bits): Patch[] {
  const { randomBytes, ...functions } = nodeFunctions(host);
  return [
    ...patchesOf(nodeCrypto, { randomBytes, ...functions }),
    // Its older names.
    ...["pseudoRandomBytes", "prng", "rng"]
      .filter((key) => Object.hasOwn(nodeCrypto, key))
      .map((key) => ({ target: nodeCrypto, key, value: randomBytes })),
    // node:crypto's own getRandomValues is a getter that reads the one of webcrypto.
    ...onEach([globalCrypto, webCrypto], (target) => patchesOf(target, webFunctions(host, target))),
  ];
}

function nodeFunctions(host: Bits) {
  function randomUUID(options?: unknown): string {
    if (options !== undefined) Reflect.apply(real.randomUUID, nodeCrypto, [options]);
    return uuid(host);
  }

  function randomBytes(size: unknown, callback?: unknown): unknown {
    if (callback !== undefined) return Reflect.apply(real.randomBytes, nodeCrypto, [size, callback]);
    const isLength = isCount(size) && size <= bytesMost;
    const bytes = isLength ? Buffer.allocUnsafeSlow(size) : Reflect.apply(real.randomBytes, nodeCrypto, [size]);
    if (bytes instanceof Uint8Array) fill(bytes, host);
    return bytes;
  }

  function randomInt(...args: readonly unknown[]): unknown {
    if (args.some((argument) => typeof argument === "function")) return Reflect.apply(real.randomInt, nodeCrypto, args);
    const [min, max] = args[1] === undefined ? [0, args[0]] : args;
    const inOrder = Number.isSafeInteger(min) && Number.isSafeInteger(max) && Number(min) < Number(max);
    if (!inOrder || Number(max) - Number(min) > integerMost || args.length > 2) {
      Reflect.apply(real.randomInt, nodeCrypto, args);
    }
    return Number(min) + below(Number(max) - Number(min), host);
  }

  function randomFillSync(target: unknown, ...range: readonly unknown[]): unknown {
    const chosen = isMemory(target) ? chosenBytes(target, range) : null;
    if (chosen === null) Reflect.apply(real.randomFillSync, nodeCrypto, [target, ...range]);
    else fill(chosen, host);
    return target;
  }

  return { randomUUID, randomBytes, randomInt, randomFillSync };
}

/** The two of the Web Crypto API, as methods of this object; called on any other, Node's own refuses. */
function webFunctions(host: Bits, owner: object) {
  const realUuid = functionOf(owner, "randomUUID");
  const realValues = functionOf(owner, "getRandomValues");
  return {
    randomUUID(this: unknown, ...args: readonly unknown[]): string {
      if (this !== owner || args[0] !== undefined) Reflect.apply(realUuid, this, args);
      return uuid(host);
    },
    getRandomValues(this: unknown, ...args: readonly unknown[]): unknown {
      const [array] = args;
      if (this !== owner || !isIntegerArray(array) || array.byteLength > quotaBytes) {
        Reflect.apply(realValues, this, args);
      }
      if (isMemory(array)) fill(bytesOf(array), host);
      return array;
    },
  };
}

/** Version 4, variant 1, as RFC 9562 has it. */
function uuid(host: Bits): string {
  const bytes = new Uint8Array(16);
  fill(bytes, host);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.from(bytes.buffer).toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Byte by byte, so that the order of bytes in a word is the same on every machine. */
function fill(bytes: Uint8Array, host: Bits): void {
  let word = 0;
  for (let index = 0; index < bytes.length; index++) {
    if (index % 4 === 0) word = host.randomBits();
    bytes[index] = word & 0xff;
    word >>>= 8;
  }
}

/** Without a bias, as Node: what lies above the last whole multiple of `count` is drawn again. */
function below(count: number, host: Bits): number {
  const limit = integerMost - (integerMost % count);
  for (;;) {
    const drawn = (host.randomBits() >>> 16) * 2 ** 32 + (host.randomBits() >>> 0);
    if (drawn < limit) return drawn % count;
  }
}

function isMemory(value: unknown): value is Memory {
  return types.isAnyArrayBuffer(value) || ArrayBuffer.isView(value);
}

function isIntegerArray(value: unknown): value is ArrayBufferView {
  return types.isTypedArray(value) && integerArrays.includes(value[Symbol.toStringTag]);
}

/** The part of the memory that offset and size choose, counted in elements of the array; null where Node refuses. */
function chosenBytes(memory: Memory, [offset = 0, size]: readonly unknown[]): Uint8Array | null {
  const bytes = bytesOf(memory);
  const unit = types.isTypedArray(memory) ? memory.BYTES_PER_ELEMENT : 1;
  if (!isCount(offset) || (size !== undefined && !isCount(size))) return null;
  const start = offset * unit;
  const end = size === undefined ? bytes.length : start + size * unit;
  return start <= bytes.length && end <= bytes.length ? bytes.subarray(start, end) : null;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function bytesOf(memory: Memory): Uint8Array {
  if (ArrayBuffer.isView(memory)) return new Uint8Array(memory.buffer, memory.byteOffset, memory.byteLength);
  return new Uint8Array(memory);
}

function functionOf(owner: object, key: string): (...args: readonly unknown[]) => unknown {
  return original(Reflect.get(owner, key));
}
