/**
 * The shapes of values, as tables. Callers without types are met here, at the edge, so that the rules behind it may
 * trust what they are given.
 */

/** Reports a value of the wrong shape: a mistake of the caller. Nothing has changed. */
export class InputError extends Error {
  override readonly name: string = "InputError";

  constructor(place: string, expected: string, found: string) {
    super(`Cannot use ${place}: expected ${expected}, found ${found}; correct it`);
  }
}

/**
 * What a value may be: of a type that is named ("function or undefined"), one of the values listed, an object whose named
 * fields have a shape of their own (it may have others), or whatever a rule lets pass.
 */
export type Shape = string | unknown[] | Fields | Rule;
export type Fields = { readonly [name: string]: Shape };
/** Throws InputError for a value that does not fit, and names the place. */
export type Rule = (place: string, value: unknown) => void;

export function check(place: string, value: unknown, shape: Shape): void {
  if (typeof shape === "function") {
    shape(place, value);
  } else if (typeof shape === "string") {
    // No name of a type is part of another's.
    if (!shape.includes(typeOf(value))) throw wrong(place, value, shape);
  } else if (Array.isArray(shape)) {
    if (!shape.includes(value)) throw wrong(place, value, shape.join(" or "));
  } else {
    check(place, value, "object");
    for (const [name, field] of Object.entries(shape)) check(`${place}.${name}`, Object(value)[name], field);
  }
}

export function rule(expected: string, fits: (value: unknown) => boolean): Rule {
  return (place, value) => {
    if (!fits(value)) throw wrong(place, value, expected);
  };
}

/** A union: the field `tag` names the variant, and with it the other fields. */
export function variants<Name extends string>(tag: string, shapes: Readonly<Record<Name, Fields>>): Rule {
  const tagged = { [tag]: Object.keys(shapes) };
  return (place, value) => {
    check(place, value, tagged);
    const name: Name = Object(value)[tag];
    check(place, value, shapes[name]);
  };
}

export function list(item: Shape): Rule {
  return (place, value) => {
    check(place, value, "array");
    for (const entry of Object(value)) check(`${place}[]`, entry, item);
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
