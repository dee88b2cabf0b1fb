/** Finds the scenarios that a command is about: in files the reader names, or among the built-in ones. */
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { hostScenarios } from "../properties/hosts.ts";
import { builtInScenarios } from "../properties/index.ts";
import { isScenario, type Scenario } from "../sim/scenario.ts";
import { UsageError } from "./exit-codes.ts";
import { importTypeScript } from "./import-typescript.ts";
import { kindsMadeBy, scenariosOfSubjects } from "./subject.ts";

const scenarioFile = /\.scenario\.[cm]?[jt]s$/;
const moduleFile = /\.[cm]?[jt]s$/;

type Loaded = { readonly file: string; readonly scenario: Scenario };

/**
 * Loads every scenario that the files export. A folder stands for all `*.scenario.ts` files below it. `subjects`: a module
 * that makes something to be judged stands for the scenario of its repros.
 */
export async function loadScenarios(
  paths: readonly string[],
  { subjects }: { readonly subjects: boolean },
): Promise<readonly Scenario[]> {
  return (await loadWithFiles(paths, subjects)).map(({ scenario }) => scenario);
}

/** Finds a scenario and the module that exports it, as an absolute path. Throws UsageError naming what is there. */
export async function scenarioWithFile(name: string, paths: readonly string[]): Promise<Loaded> {
  if (paths.length === 0) {
    throw new UsageError(
      `Cannot find the scenario ${JSON.stringify(name)}: name the file that exports it after the repro`,
    );
  }
  const loaded = await loadWithFiles(paths, true);
  const found = loaded.find(({ scenario }) => scenario.name === name);
  if (found !== undefined) return found;
  throw unknown(
    name,
    loaded.map(({ scenario }) => scenario.name),
  );
}

/** Tells a name that only this package's own scenarios may have. */
export function isBuiltIn(name: string): boolean {
  return name.startsWith("microloom:");
}

async function loadWithFiles(paths: readonly string[], subjects: boolean): Promise<readonly Loaded[]> {
  const files = (await Promise.all(paths.map(filesOf))).flat();
  const found = new Map<Scenario, Loaded>();
  for (const file of files) {
    for (const scenario of await scenariosOf(file, subjects))
      if (!found.has(scenario)) found.set(scenario, { file, scenario });
  }
  const names = new Set<string>();
  for (const { name } of found.keys()) {
    const quoted = JSON.stringify(name);
    if (isBuiltIn(name)) {
      throw new UsageError(`Cannot use the scenario name ${quoted}: "microloom:" is for built-in ones`);
    }
    if (names.has(name)) {
      throw new UsageError(`Cannot tell two scenarios apart: two in ${files.join(", ")} are named ${quoted}`);
    }
    names.add(name);
  }
  return [...found.values()];
}

/** Finds one scenario by name: a built-in one, or one of those loaded. Throws UsageError naming what is there. */
export function findScenario(name: string, loaded: readonly Scenario[] = []): Scenario {
  const found =
    builtInScenarios.get(name) ?? hostScenarios.get(name) ?? loaded.find((scenario) => scenario.name === name);
  if (found !== undefined) return found;
  throw unknown(name, [...loaded.map((scenario) => scenario.name), ...builtInScenarios.keys()]);
}

function unknown(name: string, known: readonly string[]): UsageError {
  return new UsageError(
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

async function scenariosOf(file: string, subjects: boolean): Promise<readonly Scenario[]> {
  const loaded = await loadModule(file, "exports scenarios");
  const scenarios = exportsOf(loaded).filter(isScenario);
  if (scenarios.length > 0) return scenarios;
  const judged = subjects ? scenariosOfSubjects(file, loaded) : [];
  if (judged.length > 0) return judged.map(({ scenario }) => scenario);
  const [kind] = kindsMadeBy(loaded);
  if (kind !== undefined) {
    const what = kind === "agent" ? "an agent" : "a lease scheduler";
    throw new UsageError(`Cannot explore ${file}: it makes ${what}; judge that with --${kind} ${file}`);
  }
  throw new UsageError(`Cannot load ${file}: expected an export made by scenario(), found none`);
}

/** Loads one module, as an absolute path. Throws UsageError saying why it cannot be loaded. */
export async function loadModule(file: string, what: string): Promise<object> {
  if (!moduleFile.test(file)) throw new UsageError(`Cannot load ${file}: expected a .ts or .js module that ${what}`);
  try {
    return await load(pathToFileURL(file).href);
  } catch (error) {
    // A compiler says that it failed in one line, and why in the next.
    const why = (error instanceof Error ? error.message : String(error)).split("\n").slice(0, 2).join(" ");
    throw new UsageError(`Cannot load ${file}: ${why}`, { cause: error });
  }
}

/**
 * TypeScript goes through tsx. From a package that is not marked as ESM it is required: imported, it would have no path
 * that a stack could name.
 */
async function load(url: string): Promise<object> {
  if (!/\.[cm]?ts$/.test(url)) return import(url);
  const path = fileURLToPath(url);
  if (!(await isCommonJs(path))) return importTypeScript(url);
  const { require: tsxRequire } = await import("tsx/cjs/api");
  try {
    return tsxRequire(path, import.meta.url);
  } catch (error) {
    // A module that awaits at its top can only be imported.
    if (error instanceof Error && "code" in error && error.code === "ERR_REQUIRE_ASYNC_MODULE") {
      return importTypeScript(url);
    }
    throw error;
  }
}

/** As Node decides it: by the name, or by the nearest package.json. */
async function isCommonJs(path: string): Promise<boolean> {
  if (/\.[cm]ts$/.test(path)) return path.endsWith(".cts");
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const text = await readFile(join(folder, "package.json"), "utf8").catch(() => null);
    if (text !== null) return !/"type"\s*:\s*"module"/.test(text);
    if (dirname(folder) === folder) return true;
  }
}

/** A CommonJS module shows its exports under `default`. */
function exportsOf(loaded: object): unknown[] {
  const all = new Set<unknown>(Object.values(loaded));
  const main: unknown = Reflect.get(loaded, "default");
  if (typeof main === "object" && main !== null && !isScenario(main))
    for (const each of Object.values(main)) all.add(each);
  return [...all];
}
