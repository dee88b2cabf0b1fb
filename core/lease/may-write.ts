/** The check right before the irreversible act. A lease can end while its holder works; only the fence tells. */
import { check } from "../shape.ts";
import { leaseOf } from "./draft.ts";
import { pathsOf } from "./footprint.ts";
import { checkArguments, id, number } from "./input.ts";
import { isWithin, normalisePath, outside } from "./path.ts";
import type { LeasePolicy, LeaseState } from "./state.ts";

export type LeaseUse = { readonly holder: string; readonly path: string; readonly fence: number };

/** Tells whether the holder may write the path now. Whoever finished or was fenced off is told no. */
export function mayWrite(policy: LeasePolicy, state: LeaseState, use: LeaseUse): boolean {
  checkArguments(policy, state);
  check("mayWrite", use, { holder: id, path: "", fence: number });
  const path = normalisePath(use.path);
  const lease = leaseOf(state, use.holder);
  if (lease?.fence !== use.fence || path === outside) return false;
  // A workspace call is at the root, so it may write a child's files too: the stated trade-off.
  return pathsOf(lease).some((claimed) => isWithin(policy, path, claimed));
}
