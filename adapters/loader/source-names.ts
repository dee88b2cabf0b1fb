/**
 * A stack names the files that a source map names. So a compiled file is known as lowered under the names of its sources,
 * too, or a scenario in it would not be known for one that was lowered.
 */
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** What is added to the end of a lowered text; no line moves. */
export function namesSources(file: string, sources: readonly (string | null)[], kind: "module" | "script"): string {
  const others = sources
    .flatMap((source) => (source === null ? [] : pathOf(source, file)))
    .filter((path) => path !== file);
  if (others.length === 0) return "";
  const text = `for (const file of ${JSON.stringify(others)}) globalThis[Symbol.for("microloom.lowered")].at(file);`;
  // A module may explore before it has come to its end; what it imports comes before all of it.
  return kind === "module" ? `\n;import "data:text/javascript,${encodeURIComponent(text)}";` : `\n;${text}`;
}

function pathOf(source: string, file: string): readonly string[] {
  if (source.startsWith("file:")) return [fileURLToPath(source)];
  return /^[a-z][a-z+.-]+:/i.test(source) ? [] : [resolve(dirname(file), source)];
}
