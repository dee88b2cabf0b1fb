/** What a load hook makes of that which the hooks before it have loaded. */
import { fileURLToPath } from "node:url";
import { isToBeLowered } from "../lowering/what-is-lowered.ts";
import { formatAfter, formatOf, loweredSource } from "./lowered-source.ts";

/** The answer of a load hook, as far as it concerns us. */
export type Loaded = { readonly format?: unknown; readonly source?: unknown };

/** Throws LoweringError. CommonJS without a source is left to `Module.prototype._compile`. */
export function loweredLoad<T extends Loaded>(url: string, loaded: T): T {
  if (!url.startsWith("file:")) return loaded;
  const format = formatOf(loaded.format);
  const text = textOf(loaded.source);
  if (format === undefined || format === null || text === null) return loaded;
  const file = fileURLToPath(url);
  if (!isToBeLowered(file)) return loaded;
  const source = loweredSource(text, file, format);
  return source === text ? loaded : { ...loaded, format: formatAfter(format), source };
}

function textOf(source: unknown): string | null {
  if (typeof source === "string") return source;
  return source instanceof Uint8Array || source instanceof ArrayBuffer ? new TextDecoder().decode(source) : null;
}
