/**
 * The shapes of values, as tables. Callers without types are met here, at the edge, so that the rules behind it may
 * trust what they are given. A rule is made once and then only compares.
 */

/** Reports a value of the wrong shape: a mistake of the caller. Nothing has changed. */
export class InputError extends Error {
  override readonly name: string = "InputError";

  constructor(place: string, expected: string, found: string) {
    super(`Cannot use ${place}: expected ${expected}, found ${found}; correct it`);
  }
}

/** Throws InputError for a value that does not fit, and names the place. Some return one that fits, by its type. */
export type Rule<Value = unknown> = (place: string, value: unknown) => Value;
type Values = Readonly<Record<string, unknown>>;
export type Fields = Readonly<Record<string, Rule>>;

export const text = ofType("string");
export const flag = ofType("boolean");
export const callback = ofType("function");
export const integer = rule("integer", Number.isInteger);
export const array: Rule<readonly unknown[]> = rule("array", Array.isArray);
export const object = rule("object", (value): value is Values => typeof value === "object" && value !== null);

export function rule<Value>(expected: string, fits: (value: unknown) => value is Value): Rule<Value>;
export function rule(expected: string, fits: (value: unknown) => boolean): Rule;
export function rule(expected: string, fits: (value: unknown) => boolean): Rule {
  return (place, value) => {
    if (fits(value)) return value;
    throw new InputError(place, expected, shown(value));
  };
}

function ofType(type: string): Rule {
  return rule(type, (value) => typeof value === type);
}

export function oneOf(...words: readonly unknown[]): Rule {
  return rule(words.join(" or "), (value) => words.includes(value));
}

export function optional(rule: Rule): Rule {
  return (place, value) => value === undefined || rule(place, value);
}

/** An object whose named fields keep their rules; it may have others. */
export function record(fields: Fields): Rule<Values> {
  const rules = Object.entries(fields);
  return (place, value) => {
    const values = object(place, value);
    for (const [name, rule] of rules) rule(`${place}.${name}`, values[name]);
    return values;
  };
}

/** A union: the field `tag` names the variant, and with it the other fields. */
export function variants(tag: string, shapes: Readonly<Record<string, Fields>>): Rule {
  const rules = new Map<unknown, Rule>(Object.entries(shapes).map(([name, fields]) => [name, record(fields)]));
  const known = record({ [tag]: oneOf(...rules.keys()) });
  return (place, value) => rules.get(known(place, value)[tag])?.(place, value);
}

export function list(item: Rule): Rule {
  return (place, value) => {
    for (const entry of array(place, value)) item(`${place}[]`, entry);
  };
}

// Objects by their type only: their own toString may run foreign code, or throw.
function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  return Object(value) === value ? typeof value : String(value);
}
