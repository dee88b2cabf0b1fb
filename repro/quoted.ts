/**
 * How a value that somebody else wrote appears in our texts: on one line, in double quotes, never longer than a bound.
 * Labels come from scenarios and repros from anywhere, so neither may break a line, hide a character or flood a page.
 */

const quotedLimit = 120;

// Control characters, and those that reorder, hide or join text: JSON leaves most of them as they are.
export const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;

/** Writes a value as JSON on one line, with everything invisible escaped, cut in the middle where it is too long. */
export function quoted(value: unknown, limit: number = quotedLimit): string {
  // Of a long text only its ends can be seen.
  const long = typeof value === "string" && value.length > 2 * limit + 2;
  const json = toJson(long ? value.slice(0, limit + 1) + value.slice(-limit - 1) : value);
  return cutInTheMiddle(json.replace(invisible, escaped), limit);
}

/** Leaves out what is in the middle of a long text; never half a character. */
export function cutInTheMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Math.ceil((limit - 1) / 2);
  const tail = text.length - (limit - 1 - head);
  return `${text.slice(0, isPair(text, head) ? head - 1 : head)}…${text.slice(isPair(text, tail) ? tail + 1 : tail)}`;
}

/** True where a cut would leave half a character on either side. */
function isPair(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  return code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
}

function toJson(value: unknown): string {
  if (value === undefined) return "nothing";
  // A thrown TypeError or RangeError here (a cycle, a BigInt, very deep nesting) must not hide the error being told.
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return typeof value;
  }
}

/** The code units of a character, as JSON would write them. */
export function escaped(character: string): string {
  let text = "";
  for (let index = 0; index < character.length; index++) {
    text += `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }
  return text;
}
