/** Writes the code that makes a plain object of the words `w0`, `w1`, ... */
import { bitsFor, bitsOf, placed } from "./layout.ts";
import { literal } from "./literal.ts";
import type { Field, Literal, Shape } from "./schema.ts";

export class Unpacking {
  readonly lines: string[] = [];
  readonly tables: string[] = [];
  #names = 0;

  /** An expression for the value; what it needs is in the lines before. */
  place(shape: Shape, bit: number): string {
    switch (shape.kind) {
      case "integer": {
        const ranked = get(bit, bitsFor(shape.max - shape.min + 1));
        return shape.min === 0 ? ranked : `(${ranked} + ${literal(shape.min)})`;
      }
      case "one-of":
        return this.#oneOf(shape.values, bit);
      case "option": {
        const value = this.#name();
        this.lines.push(`let ${value} = null;`, `if (${get(bit, 1)} !== 0) {`);
        this.lines.push(`${value} = ${this.place(shape.some, bit + 1)}; }`);
        return value;
      }
      case "list": {
        const start = bit + bitsFor(shape.most + 1);
        const value = this.#name();
        this.lines.push(`const ${value} = [];`);
        this.#places(shape.most, get(bit, start - bit), (index) => {
          this.lines.push(`${value}.push(${this.place(shape.item, start + index * bitsOf(shape.item))});`);
        });
        return value;
      }
      case "record":
        return this.#fields(shape.fields, bit, []);
      case "variants": {
        const bits = bitsFor(shape.cases.length);
        const value = this.#name();
        this.lines.push(`let ${value};`, `switch (${get(bit, bits)}) {`);
        for (const [index, variant] of shape.cases.entries()) {
          this.lines.push(`case ${index}: {`);
          const tag = `${literal(shape.tag)}: ${literal(variant.value)}`;
          this.lines.push(`${value} = ${this.#fields(variant.fields, bit + bits, [tag])}; break; }`);
        }
        this.lines.push("}");
        return value;
      }
      case "map": {
        const { keys } = shape;
        const start = bit + bitsFor(keys.length + 1);
        const keyBits = bitsFor(keys.length);
        const value = this.#name();
        this.lines.push(`const ${value} = new Map();`);
        this.#places(keys.length, get(bit, start - bit), (index) => {
          const at = start + index * (keyBits + bitsOf(shape.value));
          const key = this.#oneOf(keys, at);
          this.lines.push(`${value}.set(${key}, ${this.place(shape.value, at + keyBits)});`);
        });
        return value;
      }
    }
  }

  #fields(fields: readonly Field[], bit: number, before: readonly string[]): string {
    const all = placed(fields, bit);
    const always = all.filter(({ optional }) => !optional);
    const members = always.map(({ name, shape, bit }) => `${literal(name)}: ${this.place(shape, bit)}`);
    const object = `{ ${[...before, ...members].join(", ")} }`;
    if (always.length === all.length) return object;
    const value = this.#name();
    this.lines.push(`const ${value} = ${object};`);
    for (const { name, shape, optional, bit } of all) {
      if (!optional) continue;
      this.lines.push(`if (${get(bit, 1)} !== 0) {`);
      this.lines.push(`${value}[${literal(name)}] = ${this.place(shape, bit + 1)}; }`);
    }
    return value;
  }

  #oneOf(values: readonly Literal[], bit: number): string {
    const ranked = get(bit, bitsFor(values.length));
    if (values.length === 1) return values.map(literal).join();
    if (values.length === 2) return `(${ranked} === 0 ? ${values.map(literal).join(" : ")})`;
    const table = `[${values.map(literal).join(", ")}]`;
    const known = this.tables.indexOf(table);
    return `table${known < 0 ? this.tables.push(table) - 1 : known}[${ranked}]`;
  }

  #places(most: number, length: string, place: (index: number) => void): void {
    for (let index = 0; index < most; index++) {
      this.lines.push(`if (${length} > ${index}) {`);
      place(index);
    }
    this.lines.push("}".repeat(most));
  }

  #name(): string {
    return `v${this.#names++}`;
  }
}

function get(bit: number, bits: number): string {
  if (bits === 0) return "0";
  const word = bit >>> 5;
  const shift = bit & 31;
  const low = shift === 0 ? `w${word}` : `w${word} >>> ${shift}`;
  if (shift + bits === 32) return `(w${word} >>> ${shift})`;
  const both = shift + bits > 32 ? `(${low} | w${word + 1} << ${32 - shift})` : low;
  return bits === 32 ? `(${both} >>> 0)` : `(${both} & ${2 ** bits - 1})`;
}
