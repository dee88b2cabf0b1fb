import fc from "fast-check";
import { expect, test } from "vitest";
import { isWithin, normalisePath, pathsOverlap } from "./path.ts";

const exact = { caseSensitive: true };
const folded = { caseSensitive: false };
const samePath: typeof pathsOverlap = (rule, one, other) => isWithin(rule, one, other) && isWithin(rule, other, one);

test.each([
  ["src/a.ts", "src/a.ts"],
  ["./src/a.ts", "src/a.ts"],
  ["src\\a.ts", "src/a.ts"],
  ["src//a.ts", "src/a.ts"],
  ["src/./a.ts", "src/a.ts"],
  ["src/b/../a.ts", "src/a.ts"],
  ["src/a.ts/", "src/a.ts"],
  ["src\\/a.ts\\", "src/a.ts"],
  [".", "."],
  ["./", "."],
  ["src/..", "."],
  ["..a/...", "..a/..."],
  [" ", " "],
  ["cafe\u0301.md", "café.md"],
  ["src/c:/a", "src/c:/a"],
  ["__proto__/constructor", "__proto__/constructor"],
])("normalisePath(%j) is %j", (path, normal) => {
  expect(normalisePath(path)).toBe(normal);
});

test.each([
  "",
  "/",
  "/etc/passwd",
  "\\windows",
  "C:\\a.ts",
  "c:/a.ts",
  "C:",
  "C:a.ts",
  "C:/..",
  "./C:/a.ts",
  "src/../C:/a.ts",
  "\u212A:/a.ts",
  "\\\\server\\share\\a.ts",
  "//server/share",
  "\\\\?\\C:\\a.ts",
  "..",
  "../a.ts",
  "src/../../a.ts",
  "src\\..\\..\\src\\a.ts",
])("normalisePath(%j) is outside", (path) => {
  expect(normalisePath(path)).toBe("");
});

test.each([
  [".", "src/a.ts", true],
  ["src", "src/a.ts", true],
  ["src/a.ts", "src/a.ts", true],
  ["src", "src-gen/a.ts", false],
  ["src/a.ts", "src/a.tsx", false],
  ["src/a.ts", "src/A.ts", false],
])("pathsOverlap(%j, %j) is %j both ways", (one, other, expected) => {
  expect(pathsOverlap(exact, one, other)).toBe(expected);
  expect(pathsOverlap(exact, other, one)).toBe(expected);
});

test.each([
  ["README.md", "readme.MD"],
  ["ΟΔΟΣ", "οδοσ"],
  ["ΟΔΟΣ", "οδος"],
  ["straße", "STRASSE"],
  ["STRAẞE", "straße"],
  ["É", "e\u0301"],
])("%j and %j are one path where case does not matter", (one, other) => {
  const [first, second] = [normalisePath(one) ?? "?", normalisePath(other) ?? "!"];
  expect(samePath(folded, first, second)).toBe(true);
  expect(samePath(exact, first, second)).toBe(false);
});

test("isWithin() joins every character with its upper and lower case", () => {
  const apart: string[] = [];
  for (let code = 0x20; code <= 0x1ffff; code += 1) {
    const character = String.fromCodePoint(code).normalize("NFC");
    const cases = [character.toLowerCase(), character.toUpperCase()].map((path) => path.normalize("NFC"));
    if (!cases.every((other) => samePath(folded, character, other))) apart.push(code.toString(16));
  }
  expect(apart).toEqual([]);
});

test("isWithin() looks down, never up", () => {
  expect(isWithin(exact, "src/a.ts", "src")).toBe(true);
  expect(isWithin(exact, "src", "src/a.ts")).toBe(false);
  expect(isWithin(exact, "src", ".")).toBe(true);
  expect(isWithin(exact, ".", "src")).toBe(false);
  expect(isWithin(folded, "SRC/a.ts", "src")).toBe(true);
});

const name = fc.stringMatching(/^[a-cA-Cé. ]{1,3}$/).filter((text) => text !== "." && text !== "..");
const segments = fc.array(name, { minLength: 1, maxLength: 4 });
const separator = fc.constantFrom("/", "\\", "//", "/./", "\\/", "/x/../");

test("normalisePath() finds one spelling for every alias", () => {
  fc.assert(
    fc.property(
      segments,
      fc.array(separator, { minLength: 4, maxLength: 4 }),
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom<"NFC" | "NFD">("NFC", "NFD"),
      (parts, separators, dot, trailing, form) => {
        const joined = parts.map((part, at) => (at === 0 ? part : `${separators[at - 1]}${part}`)).join("");
        const alias = `${dot ? "./" : ""}${joined}${trailing ? "/" : ""}`.normalize(form);
        expect(normalisePath(alias)).toBe(parts.join("/"));
      },
    ),
  );
});

test("normalisePath() is idempotent, and what it returns stays inside", () => {
  const anyPath = fc.array(fc.oneof(fc.constantFrom("..", ".", "/", "\\", "C:", "a"), fc.string({ unit: "binary" })));
  fc.assert(
    fc.property(anyPath, (parts) => {
      const normal = normalisePath(parts.join(""));
      if (normal === "") return;
      expect(normalisePath(normal)).toBe(normal);
      expect(normal.split("/")).not.toContain("..");
      expect(normal).not.toMatch(/^[/\\]|^[A-Za-z]:|\\|\/\/|\/$|^$/);
    }),
    { numRuns: 2_000 },
  );
});

test("pathsOverlap() agrees with comparing segment by segment", () => {
  fc.assert(
    fc.property(segments, segments, (one, other) => {
      const shared = Math.min(one.length, other.length);
      const expected = one.slice(0, shared).every((part, at) => part === other[at]);
      expect(pathsOverlap(exact, one.join("/"), other.join("/"))).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});
