/** Where a verb writes one file that the reader names. Nothing that is there is lost by mistake, and nobody waits in vain. */
import { lstat, stat } from "node:fs/promises";
import { refuseUnwritable } from "../repro/whole-file.ts";
import { UsageError } from "./exit-codes.ts";

export type Target = {
  readonly path: string;
  /** Replace a file that is there. */
  readonly force: boolean;
  /** What the result is made from: never replaced by it, whatever the spelling. */
  readonly sources: readonly string[];
};

/** Throws UsageError, or ReproError, where the file may not or cannot be written. Asked before the work is done. */
export async function refuseTarget({ path, force, sources }: Target): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() === true) {
    throw new UsageError(`Cannot write ${path}: it is a folder; name the file in it`);
  }
  for (const source of sources) {
    if (!(await isSameFile(path, source))) continue;
    throw new UsageError(`Cannot write ${path}: the result is made from that file; name another with --out`);
  }
  // Also a link that leads nowhere is somebody's.
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  if (isThere && !force) {
    throw new UsageError(`Cannot write ${path}: there is a file already; name another with --out, or pass --force`);
  }
  await refuseUnwritable(path);
}

/** By what the disk says: links and other spellings lead to the same file. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => stat(path, { bigint: true }).catch(() => null)));
  return a != null && b != null && a.dev === b.dev && a.ino === b.ino;
}
