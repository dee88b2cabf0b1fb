/**
 * How a value that somebody else wrote appears in our texts: on one line, in double quotes, never longer than a bound.
 * Labels come from scenarios and repros from anywhere, so neither may break a line, hide a character or flood a page.
 */

const quotedLimit = 120;

// Control characters, and those that reorder, hide or join text: JSON leaves most of them as they are.
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;

/** Writes a value as JSON on one line, with everything invisible escaped, cut in the middle where it is too long. */
export function quoted(value: unknown, limit: number = quotedLimit): string {
  const json = toJson(value).replace(invisible, escaped);
  if (json.length <= limit) return json;
  const head = Math.ceil((limit - 1) / 2);
  const tail = limit - 1 - head;
  return `${json.slice(0, head)}…${json.slice(json.length - tail)}`;
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

function escaped(character: string): string {
  let text = "";
  for (let index = 0; index < character.length; index++) {
    text += `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }
  return text;
}
