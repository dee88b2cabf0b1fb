/** The lowered text of one file as Node takes it: with its source map in the last comment. */
import { pathToFileURL } from "node:url";
import { transformSync } from "esbuild";
import { LoweringError } from "../../sim/lowering/error.ts";
import { type LoweredText, lower } from "../../sim/lowering/lower.ts";
import type { SourceType } from "../../sim/lowering/parse.ts";
import { namesSources } from "./source-names.ts";

/** What Node calls the text: it may be TypeScript, and where it is null the text itself says which kind it is. */
export type Format = "module" | "commonjs" | "module-typescript" | "commonjs-typescript" | "typescript" | null;

export function formatOf(format: unknown): Format | undefined {
  switch (format) {
    case "module":
    case "commonjs":
    case "module-typescript":
    case "commonjs-typescript":
    case "typescript":
      return format;
    case null:
    case undefined:
      return null;
    default:
      return undefined;
  }
}

/** What Node is to call the text after it was lowered. */
export function formatAfter(format: Format): "module" | "commonjs" | null {
  if (format === "typescript") return null;
  return format === "module-typescript" ? "module" : format === "commonjs-typescript" ? "commonjs" : format;
}

/** `file`: absolute path. Throws LoweringError. */
export function loweredSource(text: string, file: string, format: Format): string {
  const code = format?.endsWith("typescript") === true ? withoutTypes(text, file) : text;
  const kind = formatAfter(format);
  const { lowered, sourceType } = kind === null ? asEither(code, file) : as(sourceTypeOf(kind), code, file);
  const { map } = lowered;
  if (map === null) return code;
  const original = pathToFileURL(file).href;
  const sources = map.sources.map((source) => (source === file ? original : source));
  const json = Buffer.from(JSON.stringify({ ...map, sources })).toString("base64");
  const names = namesSources(file, sources, sourceType);
  return `${lowered.code}${names}\n//# sourceMappingURL=data:application/json;base64,${json}\n`;
}

type Lowered = { readonly lowered: LoweredText; readonly sourceType: SourceType };

function as(sourceType: SourceType, code: string, file: string): Lowered {
  return { lowered: lower(code, { file, sourceType }), sourceType };
}

function sourceTypeOf(format: "module" | "commonjs"): SourceType {
  return format === "module" ? "module" : "script";
}

/** As Node does it: what is no script may be a module. */
function asEither(code: string, file: string): Lowered {
  try {
    return as("script", code, file);
  } catch (error) {
    if (!(error instanceof LoweringError)) throw error;
    try {
      return as("module", code, file);
    } catch {
      throw error;
    }
  }
}

function withoutTypes(text: string, file: string): string {
  return transformSync(text, {
    sourcefile: file,
    loader: "ts",
    target: "esnext",
    sourcemap: "inline",
    sourcesContent: true,
    logLevel: "silent",
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  }).code;
}
