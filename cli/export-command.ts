import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { vitestFile } from "../repro/export/vitest-file.ts";
import { readRepro, writeWhole } from "../repro/repro-file.ts";
import { exitCodes, UsageError } from "./exit-codes.ts";
import { isBuiltIn, scenarioFileOf } from "./load.ts";
import type { Output } from "./output.ts";

export type ExportCommand = {
  readonly repro: string;
  readonly files: readonly string[];
  readonly vitest: boolean;
  /** Where the test goes; null: beside the scenario, named after the repro. */
  readonly out: string | null;
  readonly force: boolean;
};

/** Writes one repro out as a plain test and returns the exit code. */
export async function runExport(command: ExportCommand, output: Output): Promise<number> {
  if (!command.vitest) throw new UsageError("Cannot export: expected --vitest, the one form there is; add it");
  const repro = await readRepro(command.repro);
  if (isBuiltIn(repro.scenario)) {
    throw new UsageError(
      `Cannot export ${command.repro}: ${JSON.stringify(repro.scenario)} is built in, and a plain test can only hold a scenario of yours; explore one that drives your own class, and export what that finds`,
    );
  }
  if (command.out !== null && !/\.[cm]?ts$/.test(command.out)) {
    throw new UsageError(
      `Cannot export to ${command.out}: expected a path that ends in .ts, because the test is TypeScript`,
    );
  }
  const module = await scenarioFileOf(repro.scenario, command.files);
  const target = resolve(command.out ?? join(dirname(module), `${basename(command.repro, ".json")}.test.ts`));
  await refuseWhatIsThere(target, command.force);
  const text = await vitestFile(repro, { path: module, text: await readFile(module, "utf8") }, target);
  await writeWhole(target, text);
  const shown = relative(process.cwd(), target);
  output.lines([`Written to ${shown}`, `  Run it: npx vitest run ${shown}`]);
  return exitCodes.held;
}

async function refuseWhatIsThere(target: string, force: boolean): Promise<void> {
  const found = await stat(target).catch(() => null);
  if (found === null) return;
  if (found.isDirectory()) throw new UsageError(`Cannot write ${target}: it is a folder; name the file in it`);
  if (!force) {
    throw new UsageError(`Cannot write ${target}: there is a file already; name another with --out, or pass --force`);
  }
}
