import crypto, {
  randomBytes as importedBytes,
  randomUUID as importedUuid,
  getRandomValues as importedValues,
} from "node:crypto";
import { expect, test } from "vitest";
import { scenario } from "../../scenario.ts";
import { search } from "../../search.ts";
import { firstCome } from "../../testing/executions.ts";

const web: object = globalThis.crypto;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** Calls a method of an object with arguments that the compiler would refuse. */
function call(owner: object, name: string, args: readonly unknown[], receiver: unknown = owner): unknown {
  const method: unknown = Reflect.get(owner, name);
  if (typeof method !== "function") throw new TypeError(`No ${name}`);
  return Reflect.apply(method, receiver, args);
}

async function inside<T>(look: () => T, seed = "seed"): Promise<T> {
  const seen: { readonly value: T }[] = [];
  const { violation } = await firstCome(
    scenario("crypto", () => seen.push({ value: look() })),
    { seed },
  );
  expect(violation).toBeNull();
  const [first] = seen;
  if (first === undefined) throw new Error("nothing was seen");
  return first.value;
}

const ways: Record<string, () => string> = {
  "crypto.randomUUID()": () => globalThis.crypto.randomUUID(),
  "crypto.getRandomValues()": () => hex(globalThis.crypto.getRandomValues(new Uint8Array(16))),
  "webcrypto.getRandomValues()": () => hex(crypto.webcrypto.getRandomValues(new Uint8Array(16))),
  "node:crypto getRandomValues()": () => hex(crypto.getRandomValues(new Uint8Array(16))),
  "node:crypto getRandomValues(), imported": () => hex(importedValues(new Uint8Array(16))),
  "node:crypto randomUUID()": () => crypto.randomUUID(),
  "node:crypto randomUUID(), imported": () => importedUuid({ disableEntropyCache: true }),
  "node:crypto randomBytes()": () => hex(crypto.randomBytes(16)),
  "node:crypto randomBytes(), imported": () => hex(importedBytes(16)),
  "node:crypto pseudoRandomBytes()": () => hex(crypto.pseudoRandomBytes(16)),
  "node:crypto randomFillSync()": () => hex(crypto.randomFillSync(new Uint8Array(16))),
  "node:crypto randomInt()": () => String(crypto.randomInt(2 ** 47)),
};

test.each(Object.entries(ways))("%s draws from the seed, and is real outside of a batch", async (_, draw) => {
  const one = await inside(() => [draw(), draw()]);
  expect(new Set(one).size).toBe(2);
  expect(await inside(() => [draw(), draw()])).toEqual(one);
  expect(await inside(() => [draw(), draw()], "another seed")).not.toEqual(one);
  expect(draw()).not.toBe(draw());
});

test("randomUUID() is of version 4 and variant 1, and all its other bits are random", async () => {
  const drawn = await inside(() => Array.from({ length: 300 }, () => globalThis.crypto.randomUUID()));
  expect(new Set(drawn).size).toBe(300);
  const ones = new Array<number>(128).fill(0);
  for (const uuid of drawn) {
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const bits = BigInt(`0x${uuid.replaceAll("-", "")}`);
    for (let bit = 0; bit < 128; bit++) ones[bit] = (ones[bit] ?? 0) + Number((bits >> BigInt(127 - bit)) & 1n);
  }
  const fixed = new Map([48, 49, 50, 51, 64, 65].map((bit) => [bit, bit === 49 || bit === 64 ? 300 : 0]));
  for (const [bit, count] of ones.entries()) {
    const exactly = fixed.get(bit);
    if (exactly !== undefined) expect(count, `bit ${bit}`).toBe(exactly);
    else expect(Math.abs(count - 150), `bit ${bit}`).toBeLessThan(50);
  }
});

test("getRandomValues() fills every kind of integer array to its end, and returns it", async () => {
  const kinds = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array];
  await inside(() => {
    for (const Kind of [...kinds, BigInt64Array, BigUint64Array]) {
      const memory = new Uint8Array(120);
      const array = new Kind(memory.buffer, 16, 64 / Kind.BYTES_PER_ELEMENT);
      expect(call(web, "getRandomValues", [array])).toBe(array);
      expect([...memory.subarray(0, 16), ...memory.subarray(80)].every((byte) => byte === 0)).toBe(true);
      expect(memory.subarray(16, 80).filter((byte) => byte === 0).length).toBeLessThan(10);
    }
    expect(call(web, "getRandomValues", [new Uint8Array(0)])).toHaveLength(0);
    expect(call(web, "getRandomValues", [new Uint8Array(65_536)])).toHaveLength(65_536);
  });
});

test("randomFillSync() counts offset and size in elements, and takes all kinds of memory", async () => {
  await inside(() => {
    const filled = (bytes: Uint8Array): number[] =>
      [...bytes].flatMap((byte, index) => (byte === 0 ? [] : [Math.floor(index / 4)]));
    const words = new Uint32Array(200);
    expect(crypto.randomFillSync(words, 50, 100)).toBe(words);
    const touched = filled(new Uint8Array(words.buffer));
    expect([Math.min(...touched), Math.max(...touched)]).toEqual([50, 149]);
    const view = new DataView(new ArrayBuffer(400), 100, 200);
    crypto.randomFillSync(view, 100);
    const seen = filled(new Uint8Array(view.buffer));
    expect([Math.min(...seen), Math.max(...seen)]).toEqual([50, 74]);
    const buffer = new ArrayBuffer(64);
    expect(call(crypto, "randomFillSync", [buffer])).toBe(buffer);
    expect(new Set(new Uint8Array(buffer)).size).toBeGreaterThan(30);
    expect(crypto.randomBytes(5)).toHaveLength(5);
    expect(Buffer.isBuffer(crypto.randomBytes(0))).toBe(true);
  });
});

test("randomInt() is even over its range, ends included", async () => {
  const counts = await inside(() => {
    const counts = new Map<number, number>();
    for (let draw = 0; draw < 7_000; draw++) {
      const drawn = crypto.randomInt(-3, 4);
      counts.set(drawn, (counts.get(drawn) ?? 0) + 1);
    }
    expect(crypto.randomInt(1)).toBe(0);
    expect(crypto.randomInt(-(2 ** 47), 2 ** 47 - 1)).toBeLessThan(2 ** 47);
    return counts;
  });
  expect([...counts.keys()].sort((one, other) => one - other)).toEqual([-3, -2, -1, 0, 1, 2, 3]);
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});

test("what Node refuses is refused in Node's words", async () => {
  const refusals: readonly [object, string, readonly unknown[], unknown?][] = [
    [web, "getRandomValues", [new Uint8Array(65_537)]],
    [web, "getRandomValues", [new BigInt64Array(8_193)]],
    [web, "getRandomValues", [new Float32Array(1)]],
    [web, "getRandomValues", [new Float64Array(1)]],
    [web, "getRandomValues", [new DataView(new ArrayBuffer(1))]],
    [web, "getRandomValues", [new ArrayBuffer(1)]],
    [web, "getRandomValues", [[1]]],
    [web, "getRandomValues", ["x"]],
    [web, "getRandomValues", []],
    [web, "getRandomValues", [new Uint8Array(1)], null],
    [web, "randomUUID", [], {}],
    [crypto, "randomUUID", [5]],
    [crypto, "randomUUID", [null]],
    [crypto, "randomUUID", [{ disableEntropyCache: 1 }]],
    [crypto, "randomBytes", ["5"]],
    [crypto, "randomBytes", [-1]],
    [crypto, "randomBytes", [Number.NaN]],
    [crypto, "randomBytes", [2 ** 53]],
    [crypto, "randomBytes", [5, "no callback"]],
    [crypto, "randomInt", []],
    [crypto, "randomInt", ["5"]],
    [crypto, "randomInt", [5, 5]],
    [crypto, "randomInt", [1.5]],
    [crypto, "randomInt", [0]],
    [crypto, "randomInt", [2 ** 48]],
    [crypto, "randomInt", [-(2 ** 47), 2 ** 47 + 1]],
    [crypto, "randomInt", [1, 2, 3]],
    [crypto, "randomFillSync", ["x"]],
    [crypto, "randomFillSync", [new Uint8Array(4), -1]],
    [crypto, "randomFillSync", [new Uint8Array(4), 5]],
    [crypto, "randomFillSync", [new Uint8Array(4), 2, 3]],
    [crypto, "randomFillSync", [new Uint8Array(4), "0"]],
    [crypto, "randomFillSync", [new Uint8Array(4), 0, null]],
  ];
  const refused = (): string[] =>
    refusals.map((refusal) => {
      const [owner, name, args] = refusal;
      try {
        call(owner, name, args, refusal.length === 4 ? refusal[3] : owner);
        return `${name} accepts ${args.map(String).join()}`;
      } catch (error) {
        const code: unknown = error instanceof Error ? Reflect.get(error, "code") : null;
        return `${error} ${String(code)}`;
      }
    });
  const real = refused();
  expect(await inside(refused)).toEqual(real);
  expect(real.filter((text) => text.includes("accepts"))).toEqual([]);
});

test("an execution that draws says so in the certificate", async () => {
  const held = async (draw: () => unknown): Promise<readonly string[]> => {
    const subject = scenario("certified", (world) => {
      draw();
      void world.delay("a");
      void world.delay("b");
    });
    const result = await search(subject, { strategy: "depth-first" });
    return result.outcome === "held" ? (result.certificate?.assumes ?? []) : [];
  };
  const assumed = "random numbers are those of one draw from the seed";
  expect(await held(() => globalThis.crypto.randomUUID())).toContain(assumed);
  const without = await held(() => null);
  expect(without.length).toBeGreaterThan(0);
  expect(without).not.toContain(assumed);
});
