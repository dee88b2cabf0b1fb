/**
 * Date.parse() where the default zone is UTC and the thread's own zone is another. Only texts without a zone of their own
 * differ. Those of the standard lack a "Z"; the others are V8's to read, which takes a zone at the end.
 */
const { parse } = Date;

const standard =
  /^(?:\d{4}|[+-]\d{6})(?:-\d\d(?:-\d\d)?)?(?<time>T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(?<zone>Z|[+-]\d\d:\d\d)?$/i;
/** V8 skips what stands in parentheses. */
const skipped = /\([^)]*\)?/g;
/** A zone's name counts after the first number, an offset after the time of day. */
const ownZone = /\d(?:.*[^a-z])?(?:UTC?|GMT|Z|[ECMP][SD]T)(?![a-z])|\d:\d.*[+-]/is;

/** Returns milliseconds since 1970, or NaN. */
export function parseAsUtc(text: string): number {
  const inZone = parse(text);
  if (Number.isNaN(inZone)) return inZone;
  const groups = standard.exec(text)?.groups;
  if (groups?.time !== undefined) return groups.zone === undefined ? parse(`${text}Z`) : inZone;
  if (groups !== undefined && groups.zone === undefined) return inZone;
  const read = text.replace(skipped, " ");
  if (ownZone.test(read)) return inZone;
  const inUtc = parse(`${read} UTC`);
  return Number.isNaN(inUtc) ? inZone : inUtc;
}
