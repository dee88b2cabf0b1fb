/** Whatever type of ours the declarations of the built package mention, a user can import and name. */
import { readFileSync } from "node:fs";
import { resolve, sep } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import * as z from "zod";

const manifest = z
  .object({ exports: z.record(z.string(), z.union([z.string(), z.object({ types: z.string() })])) })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));
const entries = Object.entries(manifest.exports).flatMap(([name, entry]) =>
  typeof entry === "string" ? [] : [{ name, file: resolve(entry.types) }],
);
const dist = resolve("dist") + sep;

/** Parts of types that are exported whole, where the core names them for itself; it exports no more than an app needs. */
const partsInside = new Set(["ExpiredEffect", "GoalAgent", "RefusedEffect", "Said"]);

const program = ts.createProgram(
  entries.map(({ file }) => file),
  { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, strict: true },
);
const checker = program.getTypeChecker();

test("every entry of the package has declarations", () => {
  expect(entries.length).toBeGreaterThan(5);
  expect(entries.filter(({ file }) => program.getSourceFile(file) === undefined)).toEqual([]);
});

test.each(entries)("the types that $name mentions can be imported", ({ file }) => {
  const offered = new Set(entries.flatMap((entry) => exportsOf(entry.file)));
  const missing = new Set<string>();
  const seen = new Set<ts.Symbol>();
  const open = [...exportsOf(file)];
  for (let symbol = open.pop(); symbol !== undefined; symbol = open.pop()) {
    if (seen.has(symbol)) continue;
    seen.add(symbol);
    if (!offered.has(symbol) && !partsInside.has(symbol.name)) missing.add(symbol.name);
    open.push(...mentionedBy(symbol));
  }
  expect([...missing].sort()).toEqual([]);
});

function exportsOf(file: string): readonly ts.Symbol[] {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  // An entry that only sets something up exports nothing.
  return module === undefined ? [] : offeredBy(module);
}

/** What a module exports, and what the namespaces among it do. */
function offeredBy(module: ts.Symbol): readonly ts.Symbol[] {
  const exported = checker.getExportsOfModule(module).map(original);
  const inside = exported.filter((each) => isOurs(each) && each.flags & ts.SymbolFlags.Namespace);
  return [...exported, ...inside.flatMap(offeredBy)];
}

/** The types of ours that its declarations name; not what a private member is made of. */
function mentionedBy(symbol: ts.Symbol): readonly ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const look = (node: ts.Node): void => {
    const name = nameIn(node);
    const mentioned = name && checker.getSymbolAtLocation(name);
    if (mentioned !== undefined) {
      const named = original(mentioned);
      if (isOurs(named)) found.push(named);
    }
    ts.forEachChild(node, look);
  };
  for (const declaration of symbol.declarations ?? []) {
    // The namespace `fc` is a module, and has its own names.
    if (!ts.isSourceFile(declaration)) look(declaration);
  }
  return found;
}

function nameIn(node: ts.Node): ts.Node | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  return ts.isExpressionWithTypeArguments(node) ? node.expression : undefined;
}

function original(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function isOurs({ flags, declarations = [] }: ts.Symbol): boolean {
  if (flags & ts.SymbolFlags.TypeParameter) return false;
  return declarations.some((declaration) => resolve(declaration.getSourceFile().fileName).startsWith(dist));
}
