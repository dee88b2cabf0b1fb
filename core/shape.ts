/**
 * The shapes of values, told by examples. Callers without types are met here, at the edge, so that the rules behind it
 * may trust what they are given.
 */

/** Reports a value of the wrong shape: a mistake of the caller. Nothing has changed. */
export class InputError extends Error {
  override readonly name: string = "InputError";

  constructor(place: string, expected: string, found: string) {
    super(`Cannot use ${place}: expected ${expected}, found ${found}; correct it`);
  }
}

/**
 * An example of a value: `""` stands for every string, `false` for a boolean, `[""]` for an array of strings, an object
 * for those whose fields of these names have these shapes (they may have others). What no example can tell is a rule.
 */
export type Shape = "" | false | readonly [Shape] | Fields | Rule;
export type Fields = { readonly [name: string]: Shape };
/** Throws InputError for a value that does not fit, and names the place. */
export type Rule = (place: string, value: unknown) => void;

export const anything = () => {};
export const callback = rule("function", (value) => typeof value === "function");

export function check(place: string, value: unknown, shape: Shape): void {
  if (typeof shape === "function") {
    shape(place, value);
  } else if (typeOf(value) !== typeOf(shape)) {
    throw wrong(place, value, typeOf(shape));
  } else if (Array.isArray(shape)) {
    for (const entry of Object(value)) check(`${place}[]`, entry, shape[0]);
  } else {
    for (const [name, field] of Object.entries(shape)) check(`${place}.${name}`, Object(value)[name], field);
  }
}

export function rule(expected: string, fits: (value: unknown) => boolean): Rule {
  return (place, value) => {
    if (!fits(value)) throw wrong(place, value, expected);
  };
}

export function oneOf(...words: readonly unknown[]): Rule {
  return rule(words.join(" or "), (value) => words.includes(value));
}

export function optional(shape: Shape): Rule {
  return (place, value) => {
    if (value !== undefined) check(place, value, shape);
  };
}

/** A union: the field `tag` names the variant, and with it the other fields. */
export function variants<Name extends string>(tag: string, shapes: Readonly<Record<Name, Fields>>): Rule {
  const tagged = { [tag]: oneOf(...Object.keys(shapes)) };
  return (place, value) => {
    check(place, value, tagged);
    const name: Name = Object(value)[tag];
    check(place, value, shapes[name]);
  };
}

function wrong(place: string, value: unknown, expected: string): InputError {
  // Objects by their type only: their own toString may run foreign code, or throw.
  const found = Object(value) === value ? typeOf(value) : typeof value === "string" ? JSON.stringify(value) : String(value);
  return new InputError(place, expected, found);
}

/** Says what `typeof` does not: null and arrays are no records. */
function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}
