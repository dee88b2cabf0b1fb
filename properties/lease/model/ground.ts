/**
 * The files of the modelled world, and which of them overlap: written down and compared without the core's words, so that a
 * fault in `path.ts` does not blind its own check.
 */
import type { Footprint, LeasePolicy } from "../../../core/lease/state.ts";

type CaseRule = Pick<LeasePolicy, "caseSensitive">;
type Spelling = { readonly raw: string; readonly path: string };

export type Ground = {
  readonly paths: readonly string[];
  readonly footprints: readonly Footprint[];
  /** What a child may declare. */
  readonly claims: readonly (readonly string[])[];
  /** Other spellings of paths, and how the core writes them. */
  readonly spellings: readonly Spelling[];
  readonly outside: string;
  /** The path as the core writes it, or null for one outside of the workspace. */
  normal(raw: string): string | null;
  /** The one path of the ground that is the same file. */
  same(path: string): string;
  within(path: string, folder: string): boolean;
  overlap(one: string, other: string): boolean;
  /** Two root calls may not run side by side. */
  meet(one: Footprint, other: Footprint): boolean;
  /** They stand in one line under `per-path`. */
  share(one: Footprint, other: Footprint): boolean;
};

const outside = "../src";

/** A folder, a file in it, and one that is apart from both, so that a waiter may pass another; then more of each. */
const sensitive = ["src", "src/a", "SRC", "src/b", "."];
const insensitive = ["src", "SRC/a", "docs", "src/b", "."];
export const mostPaths = sensitive.length;

export function groundOf({ caseSensitive }: CaseRule, count: number): Ground {
  const paths = (caseSensitive ? sensitive : insensitive).slice(0, count);
  const spellings = (
    caseSensitive
      ? [{ raw: ".\\src//a/", path: "src/a" }]
      : [
          { raw: "docs/../SRC\\a", path: "SRC/a" },
          { raw: "./src/A", path: "src/A" },
        ]
  ).filter(({ path }) => paths.some((known) => fold(known) === fold(path)));
  function fold(path: string): string {
    return caseSensitive ? path : path.toLowerCase();
  }
  const normals = new Map([...paths, ...spellings.map(({ path }) => path)].map((path) => [path, path]));
  for (const { raw, path } of spellings) normals.set(raw, path);
  const known = [...new Set(normals.values())];
  const same = new Map(known.map((path) => [path, paths.find((one) => fold(one) === fold(path)) ?? path]));
  const folders = new Map(
    known.map((path) => [path, new Set(known.filter((folder) => isWithin(fold(path), fold(folder))))]),
  );
  const within = (path: string, folder: string) => folders.get(path)?.has(folder) ?? path === folder;
  const overlap = (one: string, other: string) => within(one, other) || within(other, one);
  const [first = ".", second = first, third = second] = paths;
  const alias = spellings[0]?.raw ?? second;
  return {
    paths,
    footprints: [{ kind: "none" }, { kind: "workspace" }, ...paths.map((path) => file(path))],
    // Several paths: apart from each other, and one of them twice.
    claims: [...paths.map((path) => [path]), [second, third], [alias, second]],
    spellings,
    outside,
    normal: (raw) => normals.get(raw) ?? null,
    same: (path) => same.get(path) ?? path,
    within,
    overlap,
    meet(one, other) {
      if (one.kind === "none" || other.kind === "none") return false;
      return one.kind === "workspace" || other.kind === "workspace" || overlap(one.path, other.path);
    },
    share(one, other) {
      if (one.kind === "none" || other.kind === "none") return false;
      if (one.kind === "workspace" || other.kind === "workspace") return one.kind === other.kind;
      return same.get(one.path) === same.get(other.path);
    },
  };
}

/** Part by part: `src-gen` is not within `src`. */
function isWithin(path: string, folder: string): boolean {
  if (folder === ".") return true;
  const parts = path.split("/");
  return folder.split("/").every((part, place) => parts[place] === part);
}

function file(path: string): Footprint {
  return { kind: "file", path };
}
