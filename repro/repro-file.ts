/** Reads and writes repros on disk. The text is stable, so that a repro recorded again is a small diff. */
import { type FileHandle, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Fault, Ordering } from "../sim/result.ts";
import { parseRepro, type Repro, ReproError, reproLimitBytes } from "./repro.ts";

/** Reads a repro. Throws ReproError when the file is missing, too large, or not a repro. */
export async function readRepro(path: string): Promise<Repro> {
  return parseRepro(await readBounded(path), path);
}

/** Writes a repro as `writeWhole` does. Throws ReproError when the path cannot be written to. */
export function writeRepro(path: string, repro: Repro): Promise<void> {
  return writeWhole(path, formatRepro(repro));
}

/**
 * Writes a file beside its place and then moves it there, so that nobody ever reads half of one. Makes the folders on
 * the way. Throws ReproError when the path cannot be written to.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const beside = `${path}.${process.pid}.partial`;
  try {
    await makeFolder(dirname(path));
    await writeFile(beside, text, { encoding: "utf8", flag: "w" });
    await rename(beside, path);
  } catch (error) {
    // What could not be written may not be removable either; the first error is the one to tell.
    await rm(beside, { force: true }).catch(() => undefined);
    throw new ReproError(`Cannot write ${path}: ${describeFileError(error)}`, { cause: error });
  }
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

/** Makes a folder and those above it. Not `recursive`: that never returns where the system denies a folder's existence (/proc). */
async function makeFolder(path: string): Promise<void> {
  const failed = await mkdirOnce(path);
  if (failed === null || failed === "EEXIST") return;
  const above = dirname(path);
  if (failed === "ENOENT" && above !== path) await makeFolder(above);
  await mkdir(path);
}

async function mkdirOnce(path: string): Promise<string | null> {
  try {
    await mkdir(path);
    return null;
  } catch (error) {
    return codeOf(error) ?? "unknown";
  }
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

const fileErrors: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file; check the path",
  ENOTDIR: "a part of the path is no folder; check the path",
  EEXIST: "a part of the path is no folder; check the path",
  EISDIR: "it is a folder; name the file in it",
  EACCES: "it may not be opened; check its permissions",
  EPERM: "it may not be opened; check its permissions",
  ELOOP: "it is a link that leads round in a circle; name the file itself",
  ENAMETOOLONG: "its name is too long; choose a shorter one",
  ENOSPC: "the disk is full; make room and run it again",
  EROFS: "the disk is read-only; choose another path",
  ENOTEMPTY: "it is a folder; name the file in it",
  ERR_ENCODING_INVALID_ENCODED_DATA: "expected UTF-8 text, found other bytes; name a repro file",
};

/** Asks for no Error: in the vm context of Jest, those of the file system are none. */
function codeOf(error: unknown): string | null {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : null;
}

function describeFileError(error: unknown): string {
  const code = codeOf(error) ?? "an unknown error";
  return fileErrors[code] ?? `the system says ${code}`;
}
