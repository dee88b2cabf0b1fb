/** Leads from a position in the text that was given back to the file that somebody wrote. */
import assert from "node:assert";
import remapping, { type DecodedSourceMap, type EncodedSourceMap, type SourceMapInput } from "@jridgewell/remapping";
import type { SourceMap } from "magic-string";
import type { SourcePlace } from "./error.ts";

/** How the text came about: a source map of it, as an object or as JSON. */
export type InputMap = SourceMapInput;

export class Origin {
  readonly #file: string;
  readonly #map: InputMap | null;

  constructor(file: string, map: InputMap | null) {
    this.#file = file;
    this.#map = map;
  }

  /** The same file after another step: what leads from its text back to that of this one. */
  after(step: InputMap): Origin {
    return new Origin(this.#file, this.#chained(step));
  }

  #chained(made: InputMap): EncodedSourceMap {
    const map = remapping(this.#map === null ? [made] : [made, this.#map], () => null);
    assert(typeof map.mappings === "string", "Maps are encoded unless asked otherwise");
    const { names, sources, sourcesContent = [], mappings } = map;
    return { version: 3, names, sources, sourcesContent, mappings };
  }

  /** The map of what was made of the text, back to the original. */
  mapOf(made: SourceMap): EncodedSourceMap {
    if (this.#map !== null) return this.#chained(made.toString());
    const { names, sources, sourcesContent = [], mappings } = made;
    return { version: 3, names, sources, sourcesContent, mappings };
  }

  /** Lines and columns begin at 1. */
  placeOf(code: string, at: number): SourcePlace {
    const lines = code.slice(0, at).split(/\r\n|[\n\r\u2028\u2029]/);
    return this.placeAt(lines.length, lines.at(-1)?.length ?? 0);
  }

  /** `column` begins at 0, as in maps. */
  placeAt(line: number, column: number): SourcePlace {
    return this.#original(line, column) ?? { file: this.#file, line, column: column + 1 };
  }

  #original(line: number, column: number): SourcePlace | null {
    if (this.#map === null) return null;
    // A map of this one position, chained with that of the file, gives what the file's has for it.
    const point: DecodedSourceMap = {
      version: 3,
      sources: ["text"],
      names: [],
      mappings: [[[0, 0, line - 1, column]]],
    };
    const traced = remapping([point, this.#map], () => null, { decodedMappings: true });
    const segment = Array.isArray(traced.mappings) ? traced.mappings[0]?.[0] : undefined;
    if (segment === undefined || segment.length === 1) return null;
    const [, source, foundLine, foundColumn] = segment;
    return { file: traced.sources[source] ?? this.#file, line: foundLine + 1, column: foundColumn + 1 };
  }
}
