/** What a call or child covers, as paths (nothing, its own, or the root, which is above everything), and who is in its way. */
import type { Draft } from "./draft.ts";
import { pathsOverlap, rootPath } from "./path.ts";
import type { LeaseCall, LeaseChild } from "./state.ts";

/** Commands and connectors are unknown, so a workspace call is at the root. */
export function pathsOf(lease: Pick<LeaseCall, "footprint"> | Pick<LeaseChild, "paths">): readonly string[] {
  if ("paths" in lease) return lease.paths;
  return lease.footprint.kind === "file" ? [lease.footprint.path] : lease.footprint.kind === "none" ? [] : [rootPath];
}

export type InTheWay = { readonly path: string; readonly holder: string };

/** Names the first holder in the way, and the first of the paths that it is in the way of. */
export function firstInTheWay(
  draft: Draft,
  holders: Iterable<readonly [string, LeaseCall | LeaseChild]>,
  paths: readonly string[],
): InTheWay | undefined {
  for (const [holder, lease] of holders) {
    for (const path of paths) {
      if (pathsOf(lease).some((other) => pathsOverlap(draft.policy, other, path))) return { path, holder };
    }
  }
  return undefined;
}
