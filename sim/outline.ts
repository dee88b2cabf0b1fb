/**
 * Puts a value that somebody else made into a few words of JSON. It looks at no more of the value than it writes, so
 * that a cycle, a list of millions or a graph that shares its parts costs no more than a small one; and it cannot fail,
 * whatever a getter, a proxy or a `toJSON` does when it is looked at.
 */
import { types } from "node:util";

const deepest = 24;
const mostDigits = 10n ** 100n;
const undescribed = "a value that cannot be described";
const silent: ReadonlySet<string> = new Set([undescribed, "{}", "[]", "Error"]);

/** Writes a value as JSON on as much as `limit` characters; where it was cut, it ends in `…`. Cannot fail. */
export function outline(value: unknown, limit: number): string {
  const writer = new Writer(limit);
  writer.value(value, []);
  return cut(writer.text, limit);
}

/** The first `limit` characters of a text, and `…` where there were more. Never half a character. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit)}…`;
}

/** Also of another context: under Jest, what Node throws is no instance of the Error that is ours. Cannot fail. */
export function isError(value: unknown): value is Error {
  try {
    return types.isNativeError(value) || value instanceof Error || value instanceof DOMException;
  } catch {
    return false;
  }
}

/** `name: message`, whatever the two are. Cannot fail. */
export function headOfError(error: Error, limit: number): string {
  const name = words(() => error.name, limit) || "Error";
  const message = words(() => error.message, limit);
  return cut(message === "" ? name : `${name}: ${message}`, limit);
}

class Writer {
  text = "";
  readonly #limit: number;
  /** Parts looked at; what writes nothing must not go on for ever either. */
  #looks = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get #full(): boolean {
    return this.text.length > this.#limit || this.#looks > this.#limit;
  }

  value(value: unknown, above: readonly object[]): void {
    this.#looks++;
    if (typeof value === "string") this.#string(value);
    else if (typeof value !== "object" || value === null) this.text += primitive(value);
    else this.#object(value, above);
  }

  #string(text: string): void {
    this.text += JSON.stringify(text.length > this.#limit ? text.slice(0, this.#limit + 1) : text);
  }

  #object(value: object, above: readonly object[]): void {
    if (above.length >= deepest || above.includes(value)) {
      this.text += "…";
      return;
    }
    if (!types.isProxy(value)) {
      this.#look(value, above);
      return;
    }
    // It answers as it likes; where it says nothing, that it is one is all that can be known.
    const before = this.text;
    this.#look(value, above);
    const told = this.text.slice(before.length);
    this.text = `${before}a Proxy that ${silent.has(told) ? "tells nothing of itself" : `answers as ${told}`}`;
  }

  #look(value: object, above: readonly object[]): void {
    if (isError(value)) {
      this.text += headOfError(value, this.#limit);
      return;
    }
    const within = [...above, value];
    const before = this.text;
    try {
      if ("toJSON" in value && typeof value.toJSON === "function") {
        this.value(value.toJSON(), within);
        return;
      }
    } catch {
      // What cannot say it itself is looked at like anything else.
    }
    try {
      if (isList(value)) this.#list(value, within);
      else this.#record(value, within);
    } catch {
      this.text = `${before}${undescribed}`;
    }
  }

  #list(list: ArrayLike<unknown>, above: readonly object[]): void {
    const { length } = list;
    this.text += "[";
    for (let index = 0; index < length && !this.#full; index++) {
      if (index > 0) this.text += ",";
      const item = this.#read(list, index);
      if (item === undefined) this.text += "null";
      else this.value(item, above);
    }
    this.text += this.#full ? "…" : "]";
  }

  #record(record: object, above: readonly object[]): void {
    this.text += "{";
    let first = true;
    for (const key of Object.keys(record)) {
      if (this.#full) break;
      this.#looks++;
      const item = this.#read(record, key);
      if (item === undefined || typeof item === "function" || typeof item === "symbol") continue;
      if (!first) this.text += ",";
      first = false;
      this.#string(key);
      this.text += ":";
      this.value(item, above);
    }
    this.text += this.#full ? "…" : "}";
  }

  #read(from: object, key: PropertyKey): unknown {
    try {
      return Reflect.get(from, key);
    } catch {
      return "(cannot be read)";
    }
  }
}

function isList(value: object): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value);
}

function primitive(value: unknown): string {
  switch (typeof value) {
    case "bigint":
      // To write out a huge one takes longer than anybody waits.
      return value > mostDigits || value < -mostDigits ? "a bigint of more than 100 digits" : `${value}n`;
    case "function":
      return "a function";
    case "symbol":
      return cut(String(value), 100);
    default:
      return String(value);
  }
}

function words(read: () => unknown, limit: number): string {
  try {
    const value = read();
    if (value === undefined) return "";
    return typeof value === "string" ? cut(value, limit) : outline(value, limit);
  } catch {
    return "";
  }
}
