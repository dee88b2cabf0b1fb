/** What two versions of Node must say alike: everything but stacks and the messages of errors that V8 throws. */

const wordedByV8 = /\b(TypeError|RangeError|ReferenceError|SyntaxError|EvalError|URIError): .*/gs;

/** Parses what `--json` printed and takes out what V8 words; text that is no JSON stays as it is. */
export function withoutV8(json: string): unknown {
  try {
    return without(JSON.parse(json));
  } catch {
    return json;
  }
}

/** Names the first place where two values differ, with what stands there; null when none does. */
export function firstDifference(one: unknown, other: unknown, path = ""): string | null {
  if (!isObject(one) || !isObject(other)) {
    return Object.is(one, other) ? null : `${path || "all"}: ${JSON.stringify(one)}, ${JSON.stringify(other)}`;
  }
  const keys = Object.keys(one);
  // Bytes are compared, so the order of keys counts too.
  if (keys.join() !== Object.keys(other).join()) return `${path || "all"}: ${keys}, ${Object.keys(other)}`;
  for (const key of keys) {
    const difference = firstDifference(Reflect.get(one, key), Reflect.get(other, key), path ? `${path}.${key}` : key);
    if (difference !== null) return difference;
  }
  return null;
}

function without(value: unknown): unknown {
  if (typeof value === "string") return value.replace(wordedByV8, "$1");
  if (Array.isArray(value)) return value.map(without);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      key === "stack" || key === "stacks" ? [] : [[key, without(inner)]],
    ),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
