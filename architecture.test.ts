/** Holds the arrows between the folders: who may import whom, and which packages. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { expect, test } from "vitest";

type Rule = { readonly folders: readonly string[]; readonly packages: readonly string[]; readonly node: boolean };

const librariesShown = ["p-limit", "p-queue", "async-mutex", "p-retry", "rxjs", "generic-pool", "lru-cache"];

const rules: Readonly<Record<string, Rule>> = {
  core: { folders: ["core"], packages: [], node: false },
  sim: {
    folders: ["sim"],
    packages: ["seedrandom", "acorn", "magic-string", "@jridgewell/remapping", "esbuild"],
    node: true,
  },
  repro: { folders: ["repro", "sim"], packages: ["zod"], node: true },
  properties: { folders: ["properties", "repro", "sim", "core"], packages: ["zod", "fast-check"], node: true },
  reports: { folders: ["reports", "repro", "sim"], packages: ["picocolors"], node: true },
  adapters: {
    folders: ["adapters", "reports", "properties", "repro", "sim", "core"],
    packages: ["esbuild", "vite", "vitest", "fast-check"],
    node: true,
  },
  // Whoever asks the command for level free has nothing to load beside it.
  cli: {
    folders: ["cli", "adapters", "reports", "properties", "repro", "sim", "core"],
    packages: ["commander", "picocolors", "piscina", "tsx"],
    node: true,
  },
  bench: {
    folders: ["bench", "index.ts", "properties", "sim", "core"],
    packages: ["esbuild", "fast-check", "commander"],
    node: true,
  },
  examples: { folders: ["examples"], packages: ["microloom", ...librariesShown], node: true },
  "index.ts": { folders: ["repro", "sim"], packages: [], node: false },
};

type Import = { readonly file: string; readonly target: string };

test("imports follow the arrows between the folders", () => {
  expect(imports().flatMap(offence)).toEqual([]);
});

test("no folder is without a rule", () => {
  const found = new Set(sources().map((file) => owner(file)));
  expect([...found].filter((folder) => rules[folder] === undefined)).toEqual([]);
});

test("core/ uses no clock and no randomness in its reducers", () => {
  const offenders = sources()
    .filter((file) => owner(file) === "core")
    .filter((file) => /\bMath\.random\b|\bnew Date\b|\bDate\.now\b|\bcrypto\b/.test(readFileSync(file, "utf8")));
  expect(offenders.map(shown)).toEqual([]);
});

test("offence() sees a package, a node import and a folder that core/ may not touch", () => {
  const file = resolve("core/agent/state.ts");
  for (const target of ["zod", "node:fs", "../../sim/names.ts"]) expect(offence({ file, target })).toHaveLength(1);
});

function offence({ file, target }: Import): string[] {
  const rule = rules[owner(file)];
  if (rule === undefined) return [];
  const allowed = target.startsWith(".")
    ? rule.folders.includes(owner(resolve(dirname(file), target)))
    : target.startsWith("node:")
      ? rule.node
      : rule.packages.includes(packageOf(target));
  return allowed ? [] : [`${shown(file)} imports ${target}`];
}

function imports(): Import[] {
  return sources().flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const found = [...text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^;"']*?from\s+"([^"]+)"/g)];
    const bare = [...text.matchAll(/(?:^|\n)\s*import\s+"([^"]+)"|\bimport\("([^"]+)"\)/g)];
    return [...found, ...bare].map((match) => ({ file, target: match[1] ?? match[2] ?? "" }));
  });
}

/** Runs in the tests that are written out, never here. */
const partOfTests = "repro/export/deferred-world.ts";

/** Files that ship or run; tests may import what they test with. */
function sources(): string[] {
  const outside = /(^|\/)(node_modules|dist|\.git|\.microloom)(\/|$)/;
  return readdirSync(".", { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !/\.(test|config|d)\.ts$/.test(entry.name))
    .map((entry) => resolve(join(entry.parentPath, entry.name)))
    .filter((file) => !outside.test(shown(file)) && !shown(file).includes("/testing/") && shown(file) !== partOfTests)
    .sort();
}

function owner(file: string): string {
  return shown(file).split("/")[0] ?? "";
}

function shown(file: string): string {
  return relative(process.cwd(), file).split(sep).join("/");
}

function packageOf(target: string): string {
  const [scope = "", name = ""] = target.split("/");
  return scope.startsWith("@") ? `${scope}/${name}` : scope;
}
