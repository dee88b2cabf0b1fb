/**
 * Stack traces that read the same on every machine: files relative to their package, frames of Node and of this package
 * left out. Read only for the failing schedule.
 */
import { existsSync } from "node:fs";
import { basename, dirname, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { SourceLocation } from "./result.ts";

const frame = /^\s+at (async )?(?:(.*?) \()?((?:file:\/\/|\/|[A-Za-z]:\\)[^)]*?):(\d+):(\d+)\)?$/;
const lineLimit = 4_096;
/** As `sim/microtask/` calls them. */
const resuming = /^\s+at Activation\.resume /;
const starting = /^\s+at (?:Object\.)?startAsync /;
const startingWith = /^\s+at (?:Object\.)?startAsyncWith /;
/** `sim` where this runs from source, and the folder of all that is built otherwise. */
const engineFolder = dirname(fileURLToPath(import.meta.url));
const fromSource = basename(engineFolder) === "sim";
/** What ships beside the engine; the core is code under test, wherever a host of it is explored. */
const ownFolders = ["repro", "reports", "properties", "adapters", "cli"];
/** Judged like anybody's code, or a test of ours. */
const judged = /\/(?:subjects|mutants|testing)\/|\.test\.ts$/;
const roots = new Map<string, string>();

/** One line of user code in a stack, innermost first; `async`: it was waiting there for the line before it. */
export type Frame = {
  readonly name: string | undefined;
  readonly at: SourceLocation;
  readonly async: boolean;
  /** The file as this machine knows it. */
  readonly path: string;
};

/** Any line of a stack; `frame` is null where it is no user code. */
export type StackLine = { readonly text: string; readonly frame: Frame | null };

/** A stack that is written out when it is read, which costs more than to keep it. */
export type Stack = { readonly stack?: string | undefined };

/** Returns the frames of user code. */
export function userFrames(stack: string): Frame[] {
  return stackLines(stack).flatMap((line) => line.frame ?? []);
}

/** Returns all lines of a stack, those of Node and of the engine included. */
export function stackLines(stack: string): StackLine[] {
  const lines = stack.split("\n").flatMap((text) => (/^\s{1,40}at /.test(text) ? { text, frame: frameOf(text) } : []));
  return lines.map((line, at) => (entersLowered(lines, at) ? { ...line, frame: null } : line));
}

/** Above stands the body of this lowered function as a generator, and how it was started: one call, not two. */
function entersLowered(lines: readonly StackLine[], at: number): boolean {
  if (lines[at]?.frame == null) return false;
  let above = at - 1;
  if (isEngines(lines[above], startingWith)) above--;
  return isEngines(lines[above], starting) && isEngines(lines[above - 1], resuming);
}

function isEngines(line: StackLine | undefined, pattern: RegExp): boolean {
  return line !== undefined && line.frame === null && pattern.test(line.text);
}

function frameOf(text: string): Frame | null {
  // Whoever throws may have written the stack, and to match a line like that may take for ever.
  const match = text.length > lineLimit ? null : frame.exec(text);
  if (match === null) return null;
  const [, async, name, file = "", line, column] = match;
  const path = file.startsWith("file://") ? fileURLToPath(file) : file;
  if (isOwn(path)) return null;
  const at = { file: portablePath(path), line: Number(line), column: Number(column) };
  return { name, at, async: async !== undefined, path };
}

/** True for the files of this package, built or not: nobody sets a breakpoint there to find a fault of his own. */
function isOwn(path: string): boolean {
  if (path.startsWith(engineFolder + sep)) return true;
  if (!fromSource) return false;
  const shown = relative(dirname(engineFolder), path).split(sep).join("/");
  return (ownFolders.includes(shown.split("/", 1)[0] ?? "") && !judged.test(shown)) || shown === "index.ts";
}

/**
 * Returns the files, as this machine knows them, that called the innermost frame: those of this package, where what is
 * built in comes from, and the nearest of somebody else.
 */
export function callersFiles(stack: string): string[] {
  const files: string[] = [];
  for (const { text, frame } of stackLines(stack).slice(1)) {
    const file = frame === null ? fileOf(text) : frame.path;
    if (file !== null) files.push(file);
    if (frame !== null) break;
  }
  return files;
}

function fileOf(text: string): string | null {
  const file = text.length > lineLimit ? undefined : frame.exec(text)?.[3];
  if (file === undefined) return null;
  return file.startsWith("file://") ? fileURLToPath(file) : file;
}

/** Writes a frame as `at name (file:line:column)`. */
export function frameText({ name, at, async }: Frame): string {
  const place = `${at.file}:${at.line}:${at.column}`;
  return `at ${async ? "async " : ""}${name === undefined ? place : `${name} (${place})`}`;
}

/** Returns the frames of user code, one a line (`at name (file:line:column)`), or null when there are none. */
export function portableStack(stack: string): string | null {
  const lines = userFrames(stack).map(frameText);
  return lines.length === 0 ? null : lines.join("\n");
}

/** The path from the package that a file belongs to, with forward slashes. */
export function portablePath(path: string): string {
  const installed = path.lastIndexOf(`${sep}node_modules${sep}`);
  const shown = installed >= 0 ? path.slice(installed + 1) : relative(packageRoot(dirname(path)), path);
  return shown.split(sep).join("/");
}

function packageRoot(folder: string): string {
  const known = roots.get(folder);
  if (known !== undefined) return known;
  const parent = dirname(folder);
  const root = existsSync(`${folder}/package.json`) || parent === folder ? folder : packageRoot(parent);
  roots.set(folder, root);
  return root;
}
