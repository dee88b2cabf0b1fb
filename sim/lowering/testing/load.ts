/** Writes files and imports the first of them the way Node does, whatever the test runner does with imports. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { constants, Script } from "node:vm";

const load: (url: string) => Promise<Readonly<Record<string, unknown>>> = new Script("(url) => import(url)", {
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
}).runInThisContext();

export async function importFiles(files: Readonly<Record<string, string>>): Promise<Readonly<Record<string, unknown>>> {
  const folder = mkdtempSync(join(tmpdir(), "lowered-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  try {
    return await load(pathToFileURL(join(folder, Object.keys(files)[0] ?? "")).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
