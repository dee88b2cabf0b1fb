/**
 * The shapes of values, as tables. Callers without types are met here, at the edge, so that the rules behind it may
 * trust what they are given. A rule is made once and then only compares: a value that fits costs no allocation.
 */

/** Says what is wrong with a value, from its place on; nothing, when it fits. */
export type Rule = (value: unknown) => string | undefined;
export type Fields = Readonly<Record<string, Rule>>;

export const text = ofType("string");
export const flag = ofType("boolean");
export const callback = ofType("function");
export const integer = rule("integer", Number.isInteger);
export const array = rule("array", Array.isArray);

export function rule(expected: string, fits: (value: unknown) => boolean): Rule {
  return (value) => (fits(value) ? undefined : `: expected ${expected}, found ${shown(value)}`);
}

function ofType(type: string): Rule {
  return rule(type, (value) => typeof value === type);
}

export function oneOf(...words: readonly unknown[]): Rule {
  return rule(words.join(" or "), (value) => words.includes(value));
}

export function optional(rule: Rule): Rule {
  return (value) => (value === undefined ? undefined : rule(value));
}

/** An object whose named fields keep their rules; it may have others. */
export function record(fields: Fields): Rule {
  const rules = Object.entries(fields);
  return (value) => {
    if (!isRecord(value)) return anObject(value);
    for (const [name, rule] of rules) {
      const wrong = rule(value[name]);
      if (wrong) return `.${name}${wrong}`;
    }
    return undefined;
  };
}

/** A union: the field `tag` names the variant, and with it the other fields. */
export function variants(tag: string, shapes: Readonly<Record<string, Fields>>): Rule {
  const rules = new Map<unknown, Rule>(Object.entries(shapes).map(([name, fields]) => [name, record(fields)]));
  const known = record({ [tag]: oneOf(...rules.keys()) });
  return (value) => known(value) ?? (isRecord(value) ? rules.get(value[tag])?.(value) : undefined);
}

export function list(item: Rule): Rule {
  return (value) => {
    if (!Array.isArray(value)) return array(value);
    for (const entry of value) {
      const wrong = item(entry);
      if (wrong) return `[]${wrong}`;
    }
    return undefined;
  };
}

/** Makes the check of one part of the core. A mistake of its caller is told by that part's own error, before anything changes. */
export function checker(Mistake: new (message: string) => Error) {
  return (place: string, value: unknown, rule: Rule): void => {
    const wrong = rule(value);
    if (wrong) throw new Mistake(`Cannot use ${place}${wrong}; correct the call`);
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
