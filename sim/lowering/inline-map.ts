/** The source map that a text brings along in its last comment. */
import type { InputMap } from "./origin.ts";

const reference = /^\/\/[#@] sourceMappingURL=data:application\/json[^,\s]*?(;base64)?,(\S+)[ \t]*$/gm;

export type InlineMap = { readonly start: number; readonly end: number; readonly map: InputMap };

export function inlineMap(code: string): InlineMap | null {
  if (!code.includes("sourceMappingURL=data:")) return null;
  const last = [...code.matchAll(reference)].at(-1);
  if (last === undefined) return null;
  const [whole, encoding, data = ""] = last;
  const json = encoding === undefined ? decodeURIComponent(data) : Buffer.from(data, "base64").toString("utf8");
  return { start: last.index, end: last.index + whole.length, map: json };
}
