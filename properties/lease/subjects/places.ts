/** Where a call or a child wants to write, and whether two of them meet: read from the contract's page, as a team would. */
import type { Footprint } from "../../../core/lease/state.ts";

/** Two spellings of one file are one place. Null for what is outside of the workspace. */
export function placeOf(path: string): string | null {
  const names: string[] = [];
  const spelled = path.normalize("NFC").split(/[/\\]/);
  if (spelled[0] === "" || /^[a-z]:$/i.test(spelled[0] ?? "")) return null;
  for (const name of spelled) {
    if (name === "..") {
      if (names.length === 0) return null;
      names.pop();
    } else if (name !== "" && name !== ".") names.push(name);
  }
  return names.join("/") || ".";
}

/** What a footprint may write; a command may write everything. */
export function placesOf(footprint: Footprint): readonly string[] {
  if (footprint.kind === "none") return [];
  return footprint.kind === "file" ? [footprint.path] : ["."];
}

type CaseRule = { readonly caseSensitive: boolean };

/** True when the first is the second or lies in it. */
export function lying({ caseSensitive }: CaseRule): (inner: string, outer: string) => boolean {
  const folder = (place: string) => (place === "." ? "" : `${caseSensitive ? place : place.toLowerCase()}/`);
  return (inner, outer) => folder(inner).startsWith(folder(outer));
}

/** True when one of them lies in the other or is the other. */
export type Meets = (one: string, other: string) => boolean;

export function meeting(rule: CaseRule): Meets {
  const lies = lying(rule);
  return (one, other) => lies(one, other) || lies(other, one);
}

/** The first of `places` that meets one of `others`. */
export function firstMeeting(meets: Meets, places: readonly string[], others: readonly string[]): string | undefined {
  return places.find((place) => others.some((other) => meets(place, other)));
}
