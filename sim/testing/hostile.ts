/** Values as nobody should throw, note or hand out, and as somebody will. */
import fc from "fast-check";

const refuses = (): never => {
  throw new Error("not to be looked at");
};

// Made once, because to make it takes longer than to look at its ends.
const huge = "x".repeat(10_000_000);
const deepest = deep(100_000);

function deep(levels: number): unknown {
  let value: unknown = "bottom";
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value };
  return value;
}

function cycle(): unknown {
  const value: { name: string; self?: unknown; list: unknown[] } = { name: "cycle", list: [] };
  value.self = value;
  value.list.push(value, [value]);
  return value;
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function refusing(): unknown {
  const traps = ["get", "has", "ownKeys", "getPrototypeOf", "getOwnPropertyDescriptor"] as const;
  return new Proxy({}, Object.fromEntries(traps.map((trap) => [trap, refuses])));
}

function errorWith(properties: PropertyDescriptorMap): Error {
  return Object.defineProperties(new Error("an error"), properties);
}

function chain(length: number): Error {
  let error = new Error("the first");
  for (let level = 0; level < length; level++) error = new Error(`level ${level}`, { cause: error });
  return error;
}

function roundabout(): Error {
  const error = new AggregateError([], "round and round");
  error.errors.push(error, error);
  error.cause = error;
  return error;
}

/** Text that would like to be more than one line, in colour, backwards or half a character. */
export const nastyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.constantFrom(
    "\u001b[31mred\u001b[0m",
    "one\n    at forged (src/a.ts:1:1)\r\n✓ all is well",
    "\u202edesrever\u202c \u2066isolated\u2069",
    "\ud800 half \udc00",
    "\u2028\u2029\u0085\u0000\u007f",
    "\u{1f469}\u200d\u{1f4bb}".repeat(100),
    "a (/".repeat(5_000),
    "x".repeat(100_000),
  ),
);

/** Anything but an error. */
const objects = fc.constantFrom<() => unknown>(
  cycle,
  revoked,
  refusing,
  () => deepest,
  () => new Array(2 ** 32 - 1),
  () => new Uint8Array(10_000_000),
  () => Object.assign(Object.create(null), { a: 1 }),
  () => ({ toJSON: refuses, toString: refuses, valueOf: refuses, [Symbol.toPrimitive]: refuses }),
  () => ({ toJSON: () => cycle() }),
  () => ({
    get thrown() {
      return refuses();
    },
  }),
  () => Symbol("a symbol"),
  () => 10n ** 1_000n,
  () => Number.NaN,
  () => undefined,
  () => refuses,
);

const errors = fc.constantFrom<() => unknown>(
  () => errorWith({ stack: { value: undefined } }),
  () => errorWith({ stack: { value: 5 } }),
  () => errorWith({ stack: { get: refuses } }),
  () => errorWith({ name: { get: refuses }, message: { get: refuses }, cause: { get: refuses } }),
  () => errorWith({ message: { value: { toString: refuses } }, name: { value: Symbol("name") } }),
  () => errorWith({ stack: { value: `Error: an error\n${"    at (/".repeat(100_000)}` } }),
  () => errorWith({ stack: { value: `    at x (file://%zz/%:1:1)\n    at y (file:///a.ts:1:1)` } }),
  () => Object.setPrototypeOf(new Error("no prototype"), null),
  () => chain(1_000),
  roundabout,
  () =>
    new AggregateError(
      Array.from({ length: 1_000 }, () => new Error("one of them")),
      "many",
    ),
  () => new DOMException("gone", "AbortError"),
  () => new Proxy(new Error("behind a proxy"), { get: refuses }),
);

/** Makers, because fast-check looks at what it draws. */
export const hostile: fc.Arbitrary<() => unknown> = fc.oneof(
  objects,
  errors,
  nastyText.map((text) => () => text),
  fc.constant(() => huge),
  nastyText.map((message) => () => new Error(message)),
  nastyText.map((text) => () => errorWith({ stack: { value: text }, name: { value: text } })),
  fc
    .anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true, withTypedArray: true })
    .map((value) => () => value),
);
