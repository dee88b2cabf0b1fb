/** The check right before the irreversible act. A lease can end while its holder works; only the fence tells. */
import { pathOf } from "./footprint.ts";
import { checkArguments } from "./input.ts";
import { isWithin, normalisePath } from "./path.ts";
import { expectShape, id, number, text } from "./shape.ts";
import type { LeasePolicy, LeaseState } from "./state.ts";

export type LeaseUse = { readonly holder: string; readonly path: string; readonly fence: number };

/** Tells whether the holder may write the path now. Whoever finished or was fenced off is told no. */
export function mayWrite(policy: LeasePolicy, state: LeaseState, use: LeaseUse): boolean {
  checkArguments(policy, state);
  expectShape("mayWrite", use, { holder: id, path: text, fence: number });
  const { holder, fence } = use;
  const path = normalisePath(use.path);
  if (path === null) return false;

  const call = state.calls.get(holder);
  if (call?.fence === fence) {
    // A workspace call is at the root, so it may write a child's files too: the stated trade-off.
    return call.footprint.kind !== "none" && isWithin(policy, path, pathOf(call.footprint));
  }
  const child = state.children.get(holder);
  return child?.fence === fence && child.paths.some((claimed) => isWithin(policy, path, claimed));
}
