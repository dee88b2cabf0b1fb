/** What two footprints have to do with each other. `workspace` is the root path: unknown, so everything. */
import { normalisePath, pathsOverlap, rootPath, samePath } from "./path.ts";
import type { Footprint, LeasePolicy } from "./state.ts";

/** Spells the path the one way we store it; null when it is outside the workspace. */
export function normaliseFootprint(footprint: Footprint): Footprint | null {
  if (footprint.kind !== "file") return { kind: footprint.kind };
  const path = normalisePath(footprint.path);
  return path === null ? null : { kind: "file", path };
}

/** Names what the footprint is about in effects: its path, and the root for what has none of its own. */
export function pathOf(footprint: Footprint): string {
  return footprint.kind === "file" ? footprint.path : rootPath;
}

export function footprintsOverlap(policy: LeasePolicy, one: Footprint, other: Footprint): boolean {
  return writes(one) && writes(other) && pathsOverlap(policy, pathOf(one), pathOf(other));
}

/** Tells whether both write the same path; the workspace counts as one path. */
export function sameFootprint(policy: LeasePolicy, one: Footprint, other: Footprint): boolean {
  return writes(one) && writes(other) && samePath(policy, pathOf(one), pathOf(other));
}

function writes(footprint: Footprint): boolean {
  return footprint.kind !== "none";
}
