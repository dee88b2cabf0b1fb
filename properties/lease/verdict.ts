/** What the contract says to whoever asks, where it is not yes. */
import type { LeaseRefusal } from "../../core/lease/state.ts";
import type { Refusal } from "./history.ts";

export type Verdict = { readonly reason: LeaseRefusal | "cancelled"; readonly path?: string; readonly holder?: string };

/** True when the scheduler tells the same, as far as it tells anything but its own words. */
export function agrees(verdict: Verdict, told: Refusal): boolean {
  if (told.inOwnWords === true) return true;
  if (verdict.reason !== told.reason) return false;
  const path = verdict.path ?? null;
  return (told.path === null || path === null || path === told.path) && (verdict.holder ?? null) === told.holder;
}
