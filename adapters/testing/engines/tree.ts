/** Every scenario of the tree: those of the package, of its examples (seven libraries among them) and of the search bench. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { scenarioOf } from "../../../bench/search/microloom.ts";
import type { Program } from "../../../bench/search/program.ts";
import { hostScenarios } from "../../../properties/hosts.ts";
import { builtInScenarios } from "../../../properties/index.ts";
import { isScenario, type Scenario } from "../../../sim/scenario.ts";

const root = join(import.meta.dirname, "../../..");

/** Each name once: the host of the core is among the built-in ones, too. */
export async function scenariosOfTree(): Promise<readonly Scenario[]> {
  const examples = await exportsOf("examples", /\.scenario\.ts$/);
  const programs = await exportsOf("bench/search/programs", /\.ts$/);
  const found = [
    ...builtInScenarios.values(),
    ...hostScenarios.values(),
    ...examples.filter(isScenario),
    ...programs.filter(isProgram).map((program) => scenarioOf(program)),
  ];
  return [...new Map(found.map((scenario) => [scenario.name, scenario])).values()];
}

async function exportsOf(folder: string, files: RegExp): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  for (const name of names.filter((each) => files.test(each)).sort()) {
    const loaded: object = await import(pathToFileURL(join(root, folder, name)).href);
    found.push(...Object.values(loaded));
  }
  return found;
}

function isProgram(value: unknown): value is Program {
  return typeof value === "object" && value !== null && "name" in value && "start" in value;
}
