/** Writes the code that packs a state into the words `w0`, `w1`, ... or returns false if the state does not fit. */
import { bitsFor, bitsOf, placed } from "./layout.ts";
import { literal } from "./literal.ts";
import type { Field, Literal, Shape } from "./schema.ts";

export class Packing {
  readonly lines: string[] = [];
  #names = 0;

  /** Writes the code that packs what stands in the variable `value`, or returns false. */
  place(shape: Shape, value: string, bit: number): void {
    switch (shape.kind) {
      case "integer": {
        const { min, max } = shape;
        const ranked = this.#name();
        this.#unless(`typeof ${value} === "number"`);
        // Refuses fractions and what is out of range in two comparisons.
        this.#line(`const ${ranked} = ${value} - ${literal(min)} >>> 0;`);
        this.#unless(`${ranked} + ${literal(min)} === ${value} && ${ranked} <= ${max - min}`);
        this.#put(bit, bitsFor(max - min + 1), ranked);
        break;
      }
      case "one-of":
        this.#oneOf(shape.values, value, bit);
        break;
      case "option":
        this.#line(`if (${value} !== null) {`);
        this.#put(bit, 1, "1");
        this.place(shape.some, value, bit + 1);
        this.#line("}");
        break;
      case "list": {
        const start = bit + bitsFor(shape.most + 1);
        this.#unless(`Array.isArray(${value}) && ${value}.length <= ${shape.most}`);
        this.#put(bit, start - bit, `${value}.length`);
        this.#places(shape.most, `${value}.length`, (index) => {
          const item = this.#const(`${value}[${index}]`);
          this.place(shape.item, item, start + index * bitsOf(shape.item));
        });
        break;
      }
      case "record":
        this.#unless(`typeof ${value} === "object" && ${value} !== null`);
        this.#fields(shape.fields, value, bit, 0);
        break;
      case "variants": {
        const bits = bitsFor(shape.cases.length);
        this.#unless(`typeof ${value} === "object" && ${value} !== null`);
        this.#line(`switch (${value}[${literal(shape.tag)}]) {`);
        for (const [index, variant] of shape.cases.entries()) {
          this.#line(`case ${literal(variant.value)}: {`);
          this.#put(bit, bits, String(index));
          this.#fields(variant.fields, value, bit + bits, 1);
          this.#line("break; }");
        }
        this.#line("default: return false; }");
        break;
      }
      case "map": {
        const { keys } = shape;
        const start = bit + bitsFor(keys.length + 1);
        const keyBits = bitsFor(keys.length);
        this.#unless(`${value} instanceof Map && ${value}.size <= ${keys.length}`);
        this.#put(bit, start - bit, `${value}.size`);
        const entries = this.#const(`${value}.entries()`);
        this.#places(keys.length, `${value}.size`, (index) => {
          const at = start + index * (keyBits + bitsOf(shape.value));
          const entry = this.#const(`${entries}.next().value`);
          this.#oneOf(keys, this.#const(`${entry}[0]`), at);
          this.place(shape.value, this.#const(`${entry}[1]`), at + keyBits);
        });
        break;
      }
    }
  }

  #fields(fields: readonly Field[], value: string, bit: number, tags: number): void {
    const always = fields.filter(({ optional }) => !optional).length + tags;
    const count = this.#name();
    this.#line(`let ${count} = ${always};`);
    for (const { name, shape, optional, bit: start } of placed(fields, bit)) {
      const field = this.#const(`${value}[${literal(name)}]`);
      if (optional) {
        this.#line(`if (${field} !== undefined) { ${count}++;`);
        this.#put(start, 1, "1");
      }
      this.place(shape, field, optional ? start + 1 : start);
      if (optional) this.#line("}");
    }
    // A field too many would be lost without a word.
    this.#line(`for (const name in ${value}) ${count}--;`);
    this.#unless(`${count} === 0`);
  }

  #oneOf(values: readonly Literal[], value: string, bit: number): void {
    const ranked = this.#name();
    this.#line(`let ${ranked} = 0;`);
    this.#line(`switch (${value}) {`);
    for (const [index, known] of values.entries()) {
      this.#line(`case ${literal(known)}: ${index === 0 ? "" : `${ranked} = ${index}; `}break;`);
    }
    this.#line("default: return false; }");
    this.#put(bit, bitsFor(values.length), ranked);
  }

  /** The places of a list, nested, so that the end of the list is also the end of the questions. */
  #places(most: number, length: string, place: (index: number) => void): void {
    for (let index = 0; index < most; index++) {
      this.#line(`if (${length} > ${index}) {`);
      place(index);
    }
    this.#line("}".repeat(most));
  }

  #put(bit: number, bits: number, value: string): void {
    if (bits === 0) return;
    const word = bit >>> 5;
    const shift = bit & 31;
    this.#line(shift === 0 ? `w${word} |= ${value};` : `w${word} |= ${value} << ${shift};`);
    if (shift + bits > 32) this.#line(`w${word + 1} |= ${value} >>> ${32 - shift};`);
  }

  #unless(fits: string): void {
    this.#line(`if (!(${fits})) return false;`);
  }

  #const(value: string): string {
    const name = this.#name();
    this.#line(`const ${name} = ${value};`);
    return name;
  }

  #name(): string {
    return `v${this.#names++}`;
  }

  #line(line: string): void {
    this.lines.push(line);
  }
}
