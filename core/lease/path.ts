/**
 * One file, one spelling. Everything here works on text: links are the host's to resolve, which passes the real path of
 * the nearest existing ancestor plus the rest.
 */

/** The workspace itself. It is above every path, so it overlaps them all. */
export const rootPath = ".";

/** Stands for every path that is empty, absolute or escapes: none of them has a normalised form. */
export const outside = "";

type CaseRule = { readonly caseSensitive: boolean };

/** Spells a workspace-relative path the one way we store and show it, or answers `outside`. */
export function normalisePath(path: string): string {
  // Composed first: the Kelvin sign becomes a plain K here, and "K:" is a drive.
  const given = path.normalize("NFC").split(/[/\\]/);
  // Empty, or with a separator in front.
  if (!given[0]) return outside;
  const parts: string[] = [];
  for (const part of given) {
    if (part === "..") {
      if (!parts.pop()) return outside;
    } else if (part && part !== ".") {
      // Also behind "./": what we return must mean the same when it comes back.
      if (!parts.length && /^[a-z]:/i.test(part)) return outside;
      parts.push(part);
    }
  }
  return parts.join("/") || rootPath;
}

/** Tells whether two normalised paths are equal or one is an ancestor folder of the other. */
export function pathsOverlap(rule: CaseRule, one: string, other: string): boolean {
  return isWithin(rule, one, other) || isWithin(rule, other, one);
}

/** Tells whether a normalised path is the folder (or file) itself or below it. */
export function isWithin(rule: CaseRule, path: string, folder: string): boolean {
  return fold(rule, path).startsWith(fold(rule, folder));
}

/**
 * Spells a path as what every path within it begins with. With a separator behind both, an equal path is within, and
 * "src-gen" is not within "src"; everything begins with the root.
 *
 * Case is folded for comparing only: refusals and time-outs show the path as the caller spelled it.
 * Down and then up, because one way alone keeps some pairs apart (a capital sharp s, the final sigma). Folding too much
 * makes somebody wait; folding too little lets two calls write one file.
 */
function fold(rule: CaseRule, path: string): string {
  const start = path === rootPath ? "" : `${path}/`;
  return rule.caseSensitive ? start : start.toLowerCase().toUpperCase().normalize("NFC");
}
