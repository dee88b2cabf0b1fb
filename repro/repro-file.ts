/** Reads and writes repros on disk. The text is stable, so that a repro recorded again is a small diff. */
import { type FileHandle, open } from "node:fs/promises";
import type { Fault, Ordering } from "../sim/result.ts";
import { parseRepro, type Repro, ReproError, reproLimitBytes } from "./repro.ts";
import { describeFileError, writeWhole } from "./whole-file.ts";

/** Reads a repro. Throws ReproError when the file is missing, too large, or not a repro. */
export async function readRepro(path: string): Promise<Repro> {
  return parseRepro(await readBounded(path), path);
}

/** Writes a repro as `writeWhole` does. Throws ReproError when the path cannot be written to. */
export function writeRepro(path: string, repro: Repro): Promise<void> {
  return writeWhole(path, formatRepro(repro));
}

/** Turns a scenario's name into the name of its repro file, one that every file system takes. */
export function reproFileName(scenario: string): string {
  const plain = scenario
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 80);
  // Where more than separators was lost, two names could meet in one file.
  const lossy = /[^A-Za-z0-9 ,.:;/_'"()-]/.test(scenario) || plain.length === 80;
  return `${plain === "" ? "scenario" : plain}${lossy ? `-${shortHash(scenario)}` : ""}.json`;
}

/** FNV-1a, 32 bits, as 8 digits. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** Writes a repro as text: the keys in the order of the format, one ordering, fault or script step on a line. */
export function formatRepro(repro: Repro): string {
  const { foundBy } = repro;
  const fields: readonly (readonly [key: string, text: string])[] = [
    ["format", JSON.stringify(repro.format)],
    ["scenario", JSON.stringify(repro.scenario)],
    ["title", JSON.stringify(repro.title)],
    ["violates", JSON.stringify(repro.violates)],
    ["level", JSON.stringify(repro.level)],
    ["verdict", JSON.stringify(repro.verdict)],
    ["expect", JSON.stringify(repro.expect)],
    ["script", lines(repro.script.map((step) => JSON.stringify(step) ?? "null"))],
    ["faults", lines(repro.faults.map(formatFault))],
    ["data", JSON.stringify(repro.data)],
    ["orderings", lines(repro.orderings.map(formatOrdering))],
    ["criticalPair", repro.criticalPair === null ? "null" : `[${repro.criticalPair.map(json).join(", ")}]`],
    ["choices", JSON.stringify(repro.choices)],
    ["foundBy", object({ strategy: foundBy.strategy, seed: foundBy.seed, executions: foundBy.executions })],
  ];
  return `{\n${fields.map(([key, text]) => `  ${json(key)}: ${text}`).join(",\n")}\n}\n`;
}

function formatFault(fault: Fault): string {
  const { at, kind, arg } = fault;
  return object(arg === undefined ? { at, kind } : { at, kind, arg });
}

function formatOrdering({ first, then }: Ordering): string {
  return object({ first, then });
}

function lines(items: readonly string[]): string {
  return items.length === 0 ? "[]" : `[\n${items.map((item) => `    ${item}`).join(",\n")}\n  ]`;
}

function object(fields: Readonly<Record<string, string | number>>): string {
  const inner = Object.entries(fields).map(([key, value]) => `${json(key)}: ${json(value)}`);
  return `{ ${inner.join(", ")} }`;
}

function json(value: string | number): string {
  return JSON.stringify(value);
}

async function readBounded(path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      if (size > reproLimitBytes) throw tooLarge(path, `${size} bytes`);
      return await readAtMost(file, path);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof ReproError) throw error;
    throw new ReproError(`Cannot read ${path}: ${describeFileError(error)}`, { cause: error });
  }
}

// The file may grow after the look at its size, or have none (a pipe), so the bound holds here once more.
async function readAtMost(file: FileHandle, path: string): Promise<string> {
  const bytes = Buffer.alloc(reproLimitBytes + 1);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, null);
    if (bytesRead === 0) return new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length));
    length += bytesRead;
  }
  throw tooLarge(path, "more");
}

function tooLarge(path: string, found: string): ReproError {
  return new ReproError(
    `Cannot read ${path}: expected at most ${reproLimitBytes} bytes, found ${found}; name a repro file`,
  );
}
