/** `using` and decorators: esbuild turns them into older syntax first, and leaves what is async as it is. */
import type { AnyNode, Program } from "acorn";
import { transformSync } from "esbuild";
import { eachChild } from "./syntax.ts";

/** True where only esbuild may understand the text. */
export function mayBeNewer(code: string): boolean {
  return code.includes("@") || /\baccessor\b/.test(code);
}

export function hasUsing(code: string, program: Program): boolean {
  if (!/\busing\b[^;(){}]*(?:=|\bof\b)/.test(code)) return false;
  let found = false;
  const visit = (node: AnyNode): void => {
    if (node.type === "VariableDeclaration" && (node.kind === "using" || node.kind === "await using")) found = true;
    if (!found) eachChild(node, visit);
  };
  visit(program);
  return found;
}

export type Problem = { readonly line: number; readonly column: number; readonly what: string };

/** What esbuild says of a text that it does not understand; null for any other error. Columns begin at 0. */
export function problemOf(error: unknown): Problem | null {
  const found: unknown =
    error instanceof Error && "errors" in error && Array.isArray(error.errors) ? error.errors[0] : null;
  if (typeof found !== "object" || found === null || !("location" in found) || !("text" in found)) return null;
  const { location, text } = found;
  if (typeof location !== "object" || location === null || !("line" in location) || !("column" in location))
    return null;
  const { line, column } = location;
  if (typeof line !== "number" || typeof column !== "number") return null;
  const lineText = "lineText" in location ? String(location.lineText) : "";
  // It counts bytes.
  return { line, column: Buffer.from(lineText).subarray(0, column).toString().length, what: String(text) };
}

/** Throws esbuild's error where it does not understand the text either. */
export function withoutNewerSyntax(code: string, file: string): { readonly code: string; readonly map: string } {
  return transformSync(code, {
    sourcefile: file,
    loader: "js",
    target: "esnext",
    supported: { using: false, decorators: false },
    sourcemap: "external",
    sourcesContent: true,
    logLevel: "silent",
  });
}
