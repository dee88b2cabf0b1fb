/** Writes whole files: nobody ever reads half of one, and whether a path can be written to is known before the work is done. */
import { lstat, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { ReproError } from "./repro.ts";

/**
 * Writes a file beside its place and then moves it there. Makes the folders on the way. Throws ReproError when the path
 * cannot be written to.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const beside = besideOf(path);
  try {
    await makeFolder(dirname(path));
    await writeFile(beside, text, { encoding: "utf8", flag: "w" });
    await rename(beside, path);
  } catch (error) {
    // What could not be written may not be removable either; the first error is the one to tell.
    await rm(beside, { force: true }).catch(() => undefined);
    throw cannotWrite(path, error);
  }
}

/**
 * Throws ReproError where `writeWhole` would, and leaves nothing behind. Permissions are not asked for but tried: they
 * say nothing about a disk that is read-only, or about who this process is.
 */
export async function refuseUnwritable(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() === true) throw cannotWrite(path, { code: "EISDIR" });
  let beside = besideOf(path);
  // Folders that are missing stay missing: another process may be about to make the same.
  for (let folder = dirname(path); await isMissing(folder); folder = dirname(folder)) beside = besideOf(folder);
  try {
    await writeFile(beside, "", { flag: "w" });
  } catch (error) {
    throw cannotWrite(path, error);
  } finally {
    await rm(beside, { force: true }).catch(() => undefined);
  }
}

function besideOf(path: string): string {
  return `${path}.${process.pid}.partial`;
}

async function isMissing(folder: string): Promise<boolean> {
  if (dirname(folder) === folder) return false;
  return lstat(folder).then(
    () => false,
    (error: unknown) => codeOf(error) === "ENOENT",
  );
}

function cannotWrite(path: string, error: unknown): ReproError {
  return new ReproError(`Cannot write ${path}: ${describeFileError(error)}`, { cause: error });
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

/** Says what the system has against a file, and what to do. */
export function describeFileError(error: unknown): string {
  const code = codeOf(error) ?? "an unknown error";
  return fileErrors[code] ?? `the system says ${code}`;
}
