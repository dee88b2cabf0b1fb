/**
 * Where the fields of a packed state lie: each at a fixed bit, whatever the values of the others. What is not there (the
 * end of a list, another variant) is zero, so that equal states are equal words.
 */
import type { Field, Shape } from "./schema.ts";

/** Bits that tell `count` values apart. */
export function bitsFor(count: number): number {
  return count <= 1 ? 0 : 32 - Math.clz32(count - 1);
}

export function bitsOf(shape: Shape): number {
  switch (shape.kind) {
    case "integer":
      return bitsFor(shape.max - shape.min + 1);
    case "one-of":
      return bitsFor(shape.values.length);
    case "option":
      return 1 + bitsOf(shape.some);
    case "list":
      return bitsFor(shape.most + 1) + shape.most * bitsOf(shape.item);
    case "record":
      return bitsOfFields(shape.fields);
    case "variants":
      return bitsFor(shape.cases.length) + Math.max(...shape.cases.map(({ fields }) => bitsOfFields(fields)));
    case "map":
      return bitsFor(shape.keys.length + 1) + shape.keys.length * (bitsFor(shape.keys.length) + bitsOf(shape.value));
  }
}

/** An optional field takes one bit more: whether it is there. */
export function bitsOfField(field: Field): number {
  return bitsOf(field.shape) + (field.optional ? 1 : 0);
}

function bitsOfFields(fields: readonly Field[]): number {
  return fields.reduce((bits, field) => bits + bitsOfField(field), 0);
}

/** Each field with the bit at which it starts. */
export function placed(fields: readonly Field[], from: number): readonly (Field & { readonly bit: number })[] {
  let next = from;
  return fields.map((field) => {
    const bit = next;
    next += bitsOfField(field);
    return { ...field, bit };
  });
}
