/** Real packages, as installed: what is lowered is a program again, and nothing async is left in it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AnyNode, parse } from "acorn";
import { expect, test } from "vitest";
import { isAskedForItsKind } from "./left-native.ts";
import { lower } from "./lower.ts";
import { eachChild, isFunction } from "./syntax.ts";

const packages = [
  "p-queue",
  "p-limit",
  "p-retry",
  "async-mutex",
  "rxjs",
  "zod",
  "fast-check",
  "commander",
  "generic-pool",
];

/** Compiled for engines that had no async functions. */
const withoutAsync = "async-mutex";

test.each(packages)("lower() takes every file of %s", (name) => {
  let lowered = 0;
  for (const file of filesOf(join("node_modules", name))) {
    const text = readFileSync(file, "utf8");
    const sourceType = isModule(text) ? "module" : "script";
    const { code, map } = lower(text, { file, sourceType });
    if (map === null) continue;
    lowered++;
    const program = parse(code, { ecmaVersion: "latest", sourceType: sourceType === "module" ? "module" : "commonjs" });
    expect([file, asyncLeft(program)]).toEqual([file, []]);
    expect(code.split("\n").length).toBe(text.split("\n").length);
  }
  expect(lowered > 0).toBe(name !== withoutAsync);
});

function asyncLeft(node: AnyNode, left: string[] = []): string[] {
  if ((node.type === "MemberExpression" || node.type === "CallExpression") && isAskedForItsKind(node)) return left;
  if (isFunction(node) && node.async) left.push(`async function at ${node.start}`);
  eachChild(node, (child) => asyncLeft(child, left));
  return left;
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?js$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.slice(folder.length).includes("node_modules"))
    .sort();
}

function isModule(text: string): boolean {
  return /^\s*(?:import\s*[\w{*"'$]|export\s*[\w{*])/m.test(text);
}
