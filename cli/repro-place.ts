/** Where the command puts the repros that it makes, and how it says so. */
import { join } from "node:path";
import type { Repro } from "../repro/repro.ts";
import { reproFileName, writeRepro } from "../repro/repro-file.ts";
import { shellWord } from "../repro/shell-word.ts";
import type { Output } from "./output.ts";

/** Two repros of one run never share a file, however alike their names. */
export function freePath(out: string, name: string, taken: Set<string>): string {
  const file = reproFileName(name);
  let free = file;
  for (let number = 2; taken.has(free); number++) free = file.replace(/\.json$/, `-${number}.json`);
  taken.add(free);
  return join(out, free);
}

/** Writes a repro and returns its path; a folder that cannot be written to costs the file, not the result. */
export async function keepRepro(repro: Repro, path: string, output: Output): Promise<string | null> {
  try {
    await writeRepro(path, repro);
    return path;
  } catch (error) {
    output.warn(error instanceof Error ? error.message : String(error));
    return null;
  }
}

/** What to add to `replay`: the file, and where its scenario comes from unless that is built in. */
export function replayArguments(path: string | null, files: readonly string[]): string | null {
  return path === null ? null : [path, ...files].map(shellWord).join(" ");
}
