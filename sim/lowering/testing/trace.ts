/** What a source map says of the identifiers of a text. */
import remapping, { type SourceMapInput } from "@jridgewell/remapping";
import { parse } from "acorn";

export type Identifier = { readonly name: string; readonly line: number; readonly column: number };

export function identifiersOf(code: string, sourceType: "module" | "script"): Identifier[] {
  const found: Identifier[] = [];
  parse(code, {
    ecmaVersion: "latest",
    sourceType: sourceType === "module" ? "module" : "commonjs",
    locations: true,
    onToken: ({ type, start, end, loc }) => {
      if (type.label !== "name" || loc === null || loc === undefined) return;
      found.push({ name: code.slice(start, end), line: loc.start.line, column: loc.start.column });
    },
  });
  return found;
}

/** By `line:column` of the original, what stands in the made text at each position that the map leads there from. */
export function madeAt(code: string, map: SourceMapInput): Map<string, string[]> {
  const lines = code.split("\n");
  const { mappings } = remapping(map, () => null, { decodedMappings: true });
  if (typeof mappings === "string") throw new Error("The mappings are decoded");
  const made = new Map<string, string[]>();
  mappings.forEach((segments, line) => {
    for (const segment of segments) {
      if (segment.length === 1) continue;
      const key = `${segment[2] + 1}:${segment[3]}`;
      const word = /^[\w$]*/.exec(lines[line]?.slice(segment[0]) ?? "")?.[0] ?? "";
      made.set(key, [...(made.get(key) ?? []), word]);
    }
  });
  return made;
}
