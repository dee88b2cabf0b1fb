/**
 * Paths as the contract reads them. Spelled out instead of asking the core: a fault there must not blind its own check.
 */
import type { LeasePolicy } from "../../core/lease/state.ts";

type CaseRule = Pick<LeasePolicy, "caseSensitive">;

/** The path from the root of the workspace, or null for one that is outside of it. */
export function normalPath(raw: string): string | null {
  const text = raw.normalize("NFC").replaceAll("\\", "/");
  if (text === "" || text.startsWith("/") || /^[A-Za-z]:/.test(text)) return null;
  const parts: string[] = [];
  for (const part of text.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.length === 0 ? "." : parts.join("/");
}

/** Both normal. Part by part: `src-gen` is not within `src`. */
export function isWithin({ caseSensitive }: CaseRule, path: string, folder: string): boolean {
  if (folder === ".") return true;
  const [inner, outer] = caseSensitive ? [path, folder] : [path.toLowerCase(), folder.toLowerCase()];
  return inner === outer || inner.startsWith(`${outer}/`);
}

export function overlap(rule: CaseRule, one: string, other: string): boolean {
  return isWithin(rule, one, other) || isWithin(rule, other, one);
}
