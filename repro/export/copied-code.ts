/**
 * What an exported test copies: all that stands in the scenario's own file, and so perhaps the code under test. A fix of
 * the original does not reach a copy, and nobody who reads a failing test would think of that.
 */
import { basename } from "node:path";
import { quoted } from "../quoted.ts";

type Module = { readonly path: string; readonly text: string };

const name = "([\\p{ID_Start}$_][\\p{ID_Continue}$]*)";
const head = "(?:export[ \\t]+)?(?:default[ \\t]+)?";
// Classes also inside a scenario's body; functions there are its own.
const kinds: readonly (readonly [noun: string, pattern: RegExp])[] = [
  ["class", new RegExp(`^[ \\t]*${head}(?:abstract[ \\t]+)?class[ \\t]+${name}`, "gmu")],
  ["class", new RegExp(`^[ \\t]*${head}(?:const|let)[ \\t]+${name}[^\\n=]*=\\s*class\\b`, "gmu")],
  ["function", new RegExp(`^${head}(?:async[ \\t]+)?function\\b[ \\t*]*${name}`, "gmu")],
  [
    "function",
    new RegExp(`^${head}const[ \\t]+${name}[^\\n=]*=\\s*(?:async\\b|function\\b|\\([^\\n]*=>|\\w+\\s*=>)`, "gmu"),
  ],
];
const shownMost = 5;

/** Says what is copied and what to do, in sentences; none where the scenario's file holds nothing but scenarios. */
export function copySentences({ path, text }: Module): readonly string[] {
  const found = kinds.flatMap(([noun, pattern]) => [...text.matchAll(pattern)].map(([, named]) => `${noun} ${named}`));
  if (found.length === 0) return [];
  const hidden = found.length - shownMost;
  const shown = hidden > 0 ? [...found.slice(0, shownMost), `${hidden} more`] : found;
  const last = shown.at(-1);
  const list = shown.length === 1 ? last : `${shown.slice(0, -1).join(", ")} and ${last}`;
  return [
    `The test holds a copy of ${list} from ${quoted(basename(path))}: a fix of the original does not reach the copy.`,
    "Move the code under test to a file of its own, import it in the scenario, and export the repro again.",
  ];
}
