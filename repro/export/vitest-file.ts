/**
 * Writes a repro out as a plain Vitest file that needs no microloom: the scenario's own module, and a world made of
 * deferreds in place of ours. What the reader gets is a regression test that outlives this package.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { quoted } from "../quoted.ts";
import type { Repro } from "../repro.ts";
import { reproSentences } from "../sentences.ts";
import { copySentences } from "./copied-code.ts";

/** A repro cannot be written out as a plain test. */
export class ExportError extends Error {
  override readonly name = "ExportError";
}

export type ScenarioModule = {
  /** Absolute path of the module that makes the scenario. */
  readonly path: string;
  readonly text: string;
};

const ours = /^import\b[^;"']*?\bfrom\s*["']microloom["'];?[ \t]*\r?\n/gm;
const oursElsewhere = /["']microloom\/[\w/-]+["']/;
const specifiers = /(\bfrom\s*|\bimport\s*\(?\s*|\bmock\(\s*)(["'])(\.{1,2}\/[^"']*)\2/g;

/** The text of the test file that will stand at `target`, an absolute path. Throws ExportError. */
export async function vitestFile(repro: Repro, module: ScenarioModule, target: string): Promise<string> {
  refuseWhatOnlyWeCan(repro, module);
  const world = await readFile(deferredWorldPath(), "utf8");
  const body = module.text
    .replace(ours, "")
    .replace(specifiers, (_all, before: string, quote: string, path: string) => {
      return `${before}${quote}${moved(path, module.path, target)}${quote}`;
    });
  const [imports, rest] = split(body);
  const { orderings, faults, data, script } = repro;
  const plan = JSON.stringify({ orderings, faults, data, script }, null, 2);
  const title = JSON.stringify(`${repro.scenario}: ${repro.violates}`);
  const commented = (sentence: string): string => ` * ${sentence.replaceAll("*/", "* /")}`;
  const copied = copySentences(module).map(commented);
  return [
    "/**",
    " * Written out from a repro. It fails while the code under test breaks when this happens:",
    " *",
    ...reproSentences(repro).map(commented),
    ...(copied.length === 0 ? [] : [" *", ...copied]),
    " */",
    'import { test, vi } from "vitest";',
    imports.trim(),
    "",
    `test(${title}, async () => {`,
    `  await play(${JSON.stringify(repro.scenario)}, ${plan.replaceAll("\n", "\n  ")});`,
    "});",
    "",
    `// The world, in place of the one of the package that found this. ${"-".repeat(60)}`,
    world
      .replace(/^import [^\n]*\n/gm, "")
      .replaceAll(/^export /gm, "")
      .trim(),
    "",
    `// The scenario. ${"-".repeat(60)}`,
    rest.trim(),
    "",
  ].join("\n");
}

function refuseWhatOnlyWeCan({ scenario, level, faults }: Repro, { path, text }: ScenarioModule): void {
  const what = `Cannot write ${quoted(scenario)} out as a plain test`;
  if (level !== "spec") {
    throw new ExportError(
      `${what}: expected a repro of level spec, found ${level}, which ${level === "free" ? "reorders jobs" : "delays arrivals by ticks"}`,
    );
  }
  const odd = faults.find(({ kind }) => kind !== "fail" && kind !== "hang");
  if (odd !== undefined) throw new ExportError(`${what}: expected faults that fail or hang, found "${odd.kind}"`);
  const other = oursElsewhere.exec(text);
  if (other !== null) {
    throw new ExportError(`${what}: ${path} imports ${other[0]}; expected imports of "microloom" alone`);
  }
}

/** Imports, and what comes after the last of them. */
function split(text: string): readonly [imports: string, rest: string] {
  const statement = /^import\b[^;"']*(?:["'][^"']*["'])[^\n]*\n/gm;
  const imports = text.match(statement) ?? [];
  return [imports.join(""), text.replace(statement, "")];
}

/** A relative specifier of one module, written for another place. */
function moved(specifier: string, from: string, to: string): string {
  const path = relative(dirname(to), join(dirname(from), specifier))
    .split(sep)
    .join("/");
  return path.startsWith(".") ? path : `./${path}`;
}

/** Shipped as it is written, so that the exported test reads like code. */
function deferredWorldPath(): string {
  const root = dirname(createRequire(import.meta.url).resolve("microloom/package.json"));
  return join(root, "repro/export/deferred-world.ts");
}
