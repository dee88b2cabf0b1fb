/**
 * What a delivery that has gone may be called now. Never more than a guess: it is said as one, and nothing is run by it.
 */
import { parseName } from "../sim/names.ts";
import { familyOf } from "./renamed.ts";

export type LookAlike = {
  readonly gone: string;
  readonly now: string;
  /** `label`: the source is the same and the label another; `source`: the other way round. */
  readonly differs: "label" | "source";
};

/** Two labels that differ in more than this part of the longer one are not alike. */
const mostDifferent = 0.5;
/** Longer names are compared by their beginning: nobody tells more apart by eye, and the cost is quadratic. */
const comparedLength = 200;

/**
 * Finds for each name that is gone the one among `fresh` that looks most like it; those without one are left out. What
 * came in the place of one that is gone (`place`) need not look alike, when the source is the same.
 */
export function lookAlikes(
  gone: readonly string[],
  fresh: readonly string[],
  place: readonly [gone: string, now: string] | null,
): LookAlike[] {
  const families = [...new Set(fresh.map(familyOf))];
  const inPlace = place === null ? null : labelsOf(familyOf(place[0]), familyOf(place[1]));
  return gone.flatMap((name) => {
    const family = familyOf(name);
    const found = bestOf(family, families, inPlace);
    if (found === null) return [];
    const sameNumber = `${found.family}${name.slice(family.length)}`;
    const now = fresh.includes(sameNumber) ? sameNumber : fresh.find((each) => familyOf(each) === found.family);
    return now === undefined ? [] : [{ gone: name, now, differs: found.differs }];
  });
}

type Found = { readonly family: string; readonly differs: "label" | "source"; readonly difference: number };

function bestOf(family: string, families: readonly string[], inPlace: string | null): Found | null {
  let best: Found | null = null;
  for (const other of families) {
    const found = alike(family, other);
    if (found === null) continue;
    // A label that was renamed in one source was, most likely, in all.
    if (found.differs === "label" && labelsOf(family, other) === inPlace) return found;
    if (found.difference <= mostDifferent && (best === null || found.difference < best.difference)) best = found;
  }
  return best;
}

function alike(family: string, other: string): Found | null {
  const [one, two] = [parseName(`${family}#1`), parseName(`${other}#1`)];
  if (one === null || two === null) return null;
  if (one.label === two.label) return { family: other, differs: "source", difference: 0 };
  if (one.source !== two.source) return null;
  const longest = Math.min(comparedLength, Math.max(one.label.length, two.label.length));
  return { family: other, differs: "label", difference: editDistance(one.label, two.label) / longest };
}

function labelsOf(family: string, other: string): string {
  return JSON.stringify([family, other].map((each) => each.slice(each.indexOf(":") + 1)));
}

/** Levenshtein's distance, of the beginnings. */
export function editDistance(one: string, other: string): number {
  const [a, b] = [one.slice(0, comparedLength), other.slice(0, comparedLength)];
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let at = 1; at <= b.length; at++) {
      const replaced = (above[at - 1] ?? 0) + (a[row - 1] === b[at - 1] ? 0 : 1);
      line.push(Math.min(replaced, (above[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1));
    }
    above = line;
  }
  return above[b.length] ?? 0;
}
