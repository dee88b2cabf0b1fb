/** What a footprint covers, as paths (nothing, its own, or the root, which is above everything), and who is in its way. */
import { normalisePath, pathsOverlap, rootPath } from "./path.ts";
import type { Footprint, LeasePolicy } from "./state.ts";

/** Spells the path the one way we store it; null when it is outside the workspace. */
export function normaliseFootprint(footprint: Footprint): Footprint | null {
  if (footprint.kind !== "file") return { kind: footprint.kind };
  const path = normalisePath(footprint.path);
  return path === null ? null : { kind: "file", path };
}

/** Commands and connectors are unknown, so a workspace call is at the root. */
export function pathsOf(footprint: Footprint): readonly string[] {
  return footprint.kind === "file" ? [footprint.path] : footprint.kind === "none" ? [] : [rootPath];
}

/** Names what root calls keep children away from. Workspace calls do not. */
export function intents(footprint: Footprint): readonly string[] {
  return footprint.kind === "file" ? pathsOf(footprint) : [];
}

export type InTheWay = { readonly path: string; readonly holder: string };

/** Names the first holder in the way, and the first of the paths that it is in the way of. */
export function firstInTheWay<T>(
  policy: LeasePolicy,
  table: ReadonlyMap<string, T>,
  claimedBy: (value: T) => readonly string[],
  paths: readonly string[],
): InTheWay | undefined {
  for (const [holder, value] of table) {
    const claimed = claimedBy(value);
    const path = paths.find((path) => claimed.some((other) => pathsOverlap(policy, other, path)));
    if (path !== undefined) return { path, holder };
  }
  return undefined;
}
