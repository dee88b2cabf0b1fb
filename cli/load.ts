/** Finds the scenarios that a command is about: in files the reader names, or among the built-in ones. */
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { register } from "tsx/esm/api";
import { builtInScenarios } from "../properties/index.ts";
import { isScenario, type Scenario } from "../sim/scenario.ts";
import { UsageError } from "./exit-codes.ts";

const scenarioFile = /\.scenario\.[cm]?[jt]s$/;
const moduleFile = /\.[cm]?[jt]s$/;

/** Loads every scenario that the files export. A folder stands for all `*.scenario.ts` files below it. */
export async function loadScenarios(paths: readonly string[]): Promise<readonly Scenario[]> {
  const files = (await Promise.all(paths.map(filesOf))).flat();
  if (files.some((file) => /\.[cm]?ts$/.test(file))) register();
  const scenarios: Scenario[] = [];
  for (const file of files) scenarios.push(...(await scenariosOf(file)));
  const names = new Set<string>();
  for (const { name } of scenarios) {
    if (names.has(name))
      throw new UsageError(`Cannot tell two scenarios apart: both are named ${JSON.stringify(name)}`);
    names.add(name);
  }
  return scenarios;
}

/** Finds one scenario by name: a built-in one, or one of those loaded. Throws UsageError naming what is there. */
export function findScenario(name: string, loaded: readonly Scenario[] = []): Scenario {
  const found = builtInScenarios.get(name) ?? loaded.find((scenario) => scenario.name === name);
  if (found !== undefined) return found;
  const known = [...builtInScenarios.keys(), ...loaded.map((scenario) => scenario.name)];
  throw new UsageError(
    `Unknown scenario ${JSON.stringify(name)}: expected one of ${known.join(", ")}; name the file that exports it after the repro`,
  );
}

async function filesOf(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => null);
  if (found === null)
    throw new UsageError(`Cannot read ${path}: expected a scenario file or folder, found nothing there`);
  if (!found.isDirectory()) return [resolve(path)];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && scenarioFile.test(entry.name) && !entry.parentPath.includes("node_modules"))
    .map((entry) => resolve(join(entry.parentPath, entry.name)))
    .sort();
  if (files.length === 0)
    throw new UsageError(`Cannot find scenarios in ${path}: expected *.scenario.ts files, found none`);
  return files;
}

async function scenariosOf(file: string): Promise<readonly Scenario[]> {
  if (!moduleFile.test(file)) {
    throw new UsageError(`Cannot load ${file}: expected a .ts or .js module that exports scenarios`);
  }
  let loaded: object;
  try {
    loaded = await import(pathToFileURL(file).href);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`Cannot load ${file}: ${why}`, { cause: error });
  }
  const scenarios = Object.values(loaded).filter(isScenario);
  if (scenarios.length === 0) {
    throw new UsageError(`Cannot explore ${file}: expected an export made by scenario(), found none`);
  }
  return scenarios;
}
