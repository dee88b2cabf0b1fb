/** Reads source text; what is no program is said in the place where it was written. */
import { type Program, parse } from "acorn";
import { LoweringError } from "./error.ts";
import { problemOf } from "./newer-syntax.ts";
import type { Origin } from "./origin.ts";

export type SourceType = "module" | "script";

export function parseSource(code: string, sourceType: SourceType): Program {
  return parse(code, { ecmaVersion: "latest", sourceType: sourceType === "module" ? "module" : "commonjs" });
}

/** Where acorn stopped, and why; null for any other error. */
export function syntaxProblem(error: unknown): { readonly at: number; readonly what: string } | null {
  if (!(error instanceof SyntaxError) || !("pos" in error) || typeof error.pos !== "number") return null;
  return { at: error.pos, what: error.message.replace(/ \(\d+:\d+\)$/, "") };
}

export function syntaxError(code: string, error: unknown, origin: Origin): unknown {
  const problem = syntaxProblem(error);
  if (problem !== null) return new LoweringError(origin.placeOf(code, problem.at), problem.what, correct);
  const newer = problemOf(error);
  return newer === null ? error : new LoweringError(origin.placeAt(newer.line, newer.column), newer.what, correct);
}

const correct = "Correct the syntax: it is no JavaScript of ECMAScript 2026";
