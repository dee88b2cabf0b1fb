/**
 * The shape of a state, declared once. A codec is derived from it (`codec.ts`), so the bounds of a model are also the
 * bounds of its memory: what has few values takes few bits.
 */

export type Literal = string | number | boolean | null;

/** A schema as data, for whoever derives something from it. */
export type Shape =
  | { readonly kind: "integer"; readonly min: number; readonly max: number }
  | { readonly kind: "one-of"; readonly values: readonly Literal[] }
  | { readonly kind: "option"; readonly some: Shape }
  | { readonly kind: "list"; readonly item: Shape; readonly most: number }
  | { readonly kind: "record"; readonly fields: readonly Field[] }
  | { readonly kind: "variants"; readonly tag: string; readonly cases: readonly Case[] }
  | { readonly kind: "map"; readonly keys: readonly string[]; readonly value: Shape };
export type Field = { readonly name: string; readonly shape: Shape; readonly optional: boolean };
export type Case = { readonly value: string; readonly fields: readonly Field[] };

declare const typeOf: unique symbol;
/** A shape that remembers, for the compiler only, what type it is the shape of. */
export type Schema<T> = { readonly shape: Shape; readonly [typeOf]?: T };
/** A field that may be missing. */
export type Optional<T> = { readonly optional: Schema<T> };

type Fields = Readonly<Record<string, Schema<unknown> | Optional<unknown>>>;
type Missable<F extends Fields> = { [K in keyof F]: F[K] extends Optional<unknown> ? K : never }[keyof F];
type Flat<T> = { readonly [K in keyof T]: T[K] };
export type TypeOf<S> = S extends Schema<infer T> ? T : S extends Optional<infer T> ? T : never;
type RecordOf<F extends Fields> = Flat<
  { [K in Exclude<keyof F, Missable<F>>]: TypeOf<F[K]> } & { [K in Missable<F>]?: TypeOf<F[K]> }
>;
type VariantOf<Tag extends string, Cases extends Readonly<Record<string, Fields>>> = {
  [Value in keyof Cases]: Flat<{ [K in Tag]: Value } & RecordOf<Cases[Value]>>;
}[keyof Cases];

/** A schema that cannot be, or a value outside of its schema. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}

/** A whole number, both ends included. */
export function integer(min: number, max: number): Schema<number> {
  const whole = Number.isSafeInteger(min) && Number.isSafeInteger(max);
  if (!whole || max < min || max - min > 0xffff_ffff) {
    throw new SchemaError(
      `Cannot make integer(${min}, ${max}): expected two whole numbers, in order, at most 2^32 - 1 apart`,
    );
  }
  return { shape: { kind: "integer", min, max } };
}

export function oneOf<const T extends readonly Literal[]>(...values: T): Schema<T[number]> {
  if (values.length === 0 || new Set(values).size < values.length) {
    throw new SchemaError(`Cannot make oneOf(${values.join(", ")}): expected at least one value, and none twice`);
  }
  return { shape: { kind: "one-of", values } };
}

export const flag: Schema<boolean> = oneOf(false, true);

/** A value or null. */
export function option<T>(some: Schema<T>): Schema<T | null> {
  return { shape: { kind: "option", some: some.shape } };
}

export function list<T>(item: Schema<T>, most: number): Schema<readonly T[]> {
  if (!Number.isSafeInteger(most) || most < 0) {
    throw new SchemaError(`Cannot make a list of at most ${most}: expected a whole number`);
  }
  return { shape: { kind: "list", item: item.shape, most } };
}

export function optional<T>(some: Schema<T>): Optional<T> {
  return { optional: some };
}

/** A plain object with exactly these fields. */
export function record<F extends Fields>(fields: F): Schema<RecordOf<F>> {
  return { shape: { kind: "record", fields: fieldsOf(fields) } };
}

/** A tagged union: `variants("kind", { idle: {}, running: { turn: integer(1, 9) } })`. */
export function variants<Tag extends string, Cases extends Readonly<Record<string, Fields>>>(
  tag: Tag,
  cases: Cases,
): Schema<VariantOf<Tag, Cases>> {
  const list = Object.entries(cases).map(([value, fields]) => ({ value, fields: fieldsOf(fields) }));
  if (list.length === 0) throw new SchemaError(`Cannot make variants of "${tag}": expected at least one`);
  const clash = list.find(({ fields }) => fields.some(({ name }) => name === tag));
  if (clash) throw new SchemaError(`Cannot make the variant "${clash.value}": "${tag}" is its tag and a field`);
  return { shape: { kind: "variants", tag, cases: list } };
}

/** A map whose order counts: two maps with the same entries in another order are two states. */
export function mapOf<const K extends readonly string[], T>(
  keys: K,
  value: Schema<T>,
): Schema<ReadonlyMap<K[number], T>> {
  if (new Set(keys).size < keys.length)
    throw new SchemaError(`Cannot make a map of ${keys.join(", ")}: a key is there twice`);
  return { shape: { kind: "map", keys, value: value.shape } };
}

function fieldsOf(fields: Fields): readonly Field[] {
  return Object.entries(fields).map(([name, field]) => {
    // What every object inherits cannot be told from what it has.
    if (name in Object.prototype) throw new SchemaError(`Cannot make a record with a field "${name}"`);
    const missable = "optional" in field;
    return { name, shape: missable ? field.optional.shape : field.shape, optional: missable };
  });
}
