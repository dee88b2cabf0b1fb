/**
 * The shapes of values, told by examples. Callers without types are met here, at the edge, so that the rules behind it
 * may trust what they are given.
 */

/** Reports a value of the wrong shape: a mistake of the caller. Nothing has changed. */
export class InputError extends Error {
  override readonly name: string = "InputError";

  constructor(place: string, expected: string, found: unknown) {
    // Objects by their type only: their own toString may run foreign code, or throw.
    const shown =
      Object(found) === found ? typeOf(found) : typeof found === "string" ? JSON.stringify(found) : String(found);
    super(`Cannot use ${place}: expected ${expected}, found ${shown}; correct it`);
  }
}

/**
 * An example of a value: `""` stands for every string, `false` for a boolean, `[""]` for an array of strings, an object
 * for those whose fields of these names have these shapes (they may have others). What no example can tell is a rule.
 */
export type Shape = "" | false | readonly [Shape] | Fields | Rule;
export type Fields = { readonly [name: string]: Shape };
/** Answers true for a value that fits, or says what it expected. */
export type Rule = (value: unknown, place: string) => true | string;

export const callback = (value: unknown) => typeof value === "function" || "function";

/** Throws InputError for a value that does not fit, and names the place. */
export function check(place: string, value: unknown, shape: Shape): void {
  if (typeof shape === "function") {
    const fits = shape(value, place);
    if (fits !== true) throw new InputError(place, fits, value);
  } else if (typeOf(value) !== typeOf(shape)) {
    throw new InputError(place, typeOf(shape), value);
  } else if (Array.isArray(shape)) {
    for (const entry of Object(value)) check(`${place}[]`, entry, shape[0]);
  } else {
    for (const [name, field] of Object.entries(shape)) check(`${place}.${name}`, Object(value)[name], field);
  }
}

export function oneOf(...words: readonly unknown[]): Rule {
  return (value) => words.includes(value) || words.join(" or ");
}

/** A union: the field `tag` names the variant, and with it the other fields. */
export function variants<Name extends string>(tag: string, shapes: Readonly<Record<Name, Fields>>): Rule {
  const tagged = { [tag]: oneOf(...Object.keys(shapes)) };
  return (value, place) => {
    check(place, value, tagged);
    const name: Name = Object(value)[tag];
    check(place, value, shapes[name]);
    return true;
  };
}

/** Says what `typeof` does not: null and arrays are no records. */
function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}
