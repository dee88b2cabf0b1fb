/** What enumerates and judges would agree with a mistake that it shares, so it runs no code of a search by classes. */
import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const apart = ["every-order", "classes", "depends", "compare", "holes", "program", "code", "declared"];
const searching = /^(?:strategies\/|dependence\.ts|both-orders\.ts|race-coverage\.ts)/;

test.each(apart)("%s.ts runs no code of a strategy or of its dependence, through nobody", (file) => {
  expect(runBy(file).filter((each) => searching.test(each))).toEqual([]);
});

test("runBy() sees what the other half of the comparison runs", () => {
  const found = runBy("by-strategy");
  for (const file of ["strategies/dpor.ts", "strategies/dpor/races.ts", "dependence.ts"]) expect(found).toContain(file);
});

/** Every file below sim/ that is loaded with this one; types are gone by then. */
function runBy(file: string): string[] {
  const found = new Set<string>();
  const open = [resolve(import.meta.dirname, `${file}.ts`)];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    open.push(...loadedBy(path));
  }
  const sim = resolve(import.meta.dirname, "../..");
  return [...found].map((path) => relative(sim, path).replaceAll("\\", "/"));
}

function loadedBy(path: string): string[] {
  const text = readFileSync(path, "utf8");
  const statements = [...text.matchAll(/(?:^|\n)(?:import|export)\s+(?!type\b)([^;"']*?)from\s+"(\.[^"]+)"/g)];
  // `verbatimModuleSyntax`: what is imported without the word "type" is loaded, whatever it is used for.
  return statements.map(([, , target = ""]) => resolve(dirname(path), target));
}
