/**
 * The shapes of values, as tables. Callers without types are met here, at the edge, so that the rules behind it may
 * trust what they are given. A rule is made once and then only compares.
 */

/** Reports a value of the wrong shape: a mistake of the caller. Nothing has changed. */
export class InputError extends Error {
  override readonly name = "InputError";
}

/** Throws InputError for a value that does not fit, and names the place. */
export type Rule = (place: string, value: unknown) => void;
export type Fields = Readonly<Record<string, Rule>>;

export const text = ofType("string");
export const flag = ofType("boolean");
export const callback = ofType("function");
export const integer = rule("integer", Number.isInteger);
export const array = rule("array", Array.isArray);

export function rule(expected: string, fits: (value: unknown) => boolean): Rule {
  return (place, value) => {
    if (fits(value)) return;
    throw new InputError(`Cannot use ${place}: expected ${expected}, found ${shown(value)}; correct the call`);
  };
}

function ofType(type: string): Rule {
  return rule(type, (value) => typeof value === type);
}

export function oneOf(...words: readonly unknown[]): Rule {
  return rule(words.join(" or "), (value) => words.includes(value));
}

export function optional(rule: Rule): Rule {
  return (place, value) => {
    if (value !== undefined) rule(place, value);
  };
}

/** An object whose named fields keep their rules; it may have others. */
export function record(fields: Fields): Rule {
  const rules = Object.entries(fields);
  return (place, value) => {
    if (isRecord(value)) for (const [name, rule] of rules) rule(`${place}.${name}`, value[name]);
    else anObject(place, value);
  };
}

/** A union: the field `tag` names the variant, and with it the other fields. */
export function variants(tag: string, shapes: Readonly<Record<string, Fields>>): Rule {
  const rules = new Map<unknown, Rule>(Object.entries(shapes).map(([name, fields]) => [name, record(fields)]));
  const known = record({ [tag]: oneOf(...rules.keys()) });
  return (place, value) => {
    known(place, value);
    if (isRecord(value)) rules.get(value[tag])?.(place, value);
  };
}

export function list(item: Rule): Rule {
  return (place, value) => {
    if (Array.isArray(value)) for (const entry of value) item(`${place}[]`, entry);
    else array(place, value);
  };
}

const anObject = rule("object", isRecord);

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

// Objects by their type only: their own toString may run foreign code, or throw.
function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  return Object(value) === value ? typeof value : String(value);
}
