/** Where the command puts the repros that it makes, and how it says so. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Repro } from "../repro/repro.ts";
import { readRepro, reproFileName, writeRepro } from "../repro/repro-file.ts";
import { shellWord } from "../repro/shell-word.ts";
import { refuseUnwritable } from "../repro/whole-file.ts";
import type { Output } from "./output.ts";

/** Two repros of one run never share a file, however alike their names. */
export function freePath(out: string, name: string, taken: Set<string>): string {
  const file = reproFileName(name);
  let free = file;
  for (let number = 2; taken.has(free); number++) free = file.replace(/\.json$/, `-${number}.json`);
  taken.add(free);
  return join(out, free);
}

/** Tells whether repros can be written to a folder; where not, says so at once, because a search may take hours. */
export async function canKeep(out: string, output: Output): Promise<boolean> {
  try {
    await refuseUnwritable(join(out, "repro.json"));
    return true;
  } catch (error) {
    output.warn(`${error instanceof Error ? error.message : String(error)}; no repro will be kept`);
    return false;
  }
}

/** Writes a repro and returns its path; a folder that cannot be written to costs the file, not the result. */
export async function keepRepro(repro: Repro, path: string, output: Output): Promise<string | null> {
  try {
    const free = await besideWhatStays(repro, path, output);
    await writeRepro(free, repro);
    return free;
  } catch (error) {
    output.warn(error instanceof Error ? error.message : String(error));
    return null;
  }
}

/**
 * Only the failure that an earlier run left of the same scenario is replaced. What expects to hold is somebody's regression
 * test, and what is no repro of this scenario is none of ours.
 */
async function besideWhatStays(repro: Repro, path: string, output: Output): Promise<string> {
  let free = path;
  const staying: string[] = [];
  for (let number = 2; ; number++) {
    const why = await whyItStays(free, repro.scenario);
    if (why === null) break;
    staying.push(`${free} ${why}`);
    free = path.replace(/\.json$/, `-${number}.json`);
  }
  for (const each of staying) output.warn(`${each}, so it stays as it is; the new repro goes to ${free}`);
  return free;
}

/** Null: nothing is lost where it is replaced. */
async function whyItStays(path: string, scenario: string): Promise<string | null> {
  if (!(await isThere(path))) return null;
  const found = await readRepro(path).catch(() => null);
  if (found === null || found.scenario !== scenario) return "is no repro of this scenario";
  return found.expect === "held" ? "expects to hold (a regression test)" : null;
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** What to add to `replay`: the file, and where its scenario comes from unless that is built in. */
export function replayArguments(path: string | null, files: readonly string[]): string | null {
  return path === null ? null : [path, ...files].map(shellWord).join(" ");
}
