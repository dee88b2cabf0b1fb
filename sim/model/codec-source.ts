/**
 * The fast codec: a schema becomes the source of two straight functions, in which every place has its constants. Schemas come
 * from the model's author, never from outside, and every name and literal is quoted.
 */
import { Packing } from "./packing.ts";
import type { Shape } from "./schema.ts";
import { Unpacking } from "./unpacking.ts";

export type Generated = {
  /** False if the state does not fit; what is written then means nothing. */
  pack(state: unknown, into: Int32Array, at: number): boolean;
  unpack(from: Int32Array, at: number): unknown;
};

export function generated(shape: Shape, words: number): Generated {
  const names = Array.from({ length: words }, (_, index) => `w${index}`);
  const packing = new Packing();
  packing.place(shape, "state", 0);
  const unpacking = new Unpacking();
  const value = unpacking.place(shape, 0);
  const made: Generated = new Function(`"use strict";
${unpacking.tables.map((table, index) => `const table${index} = ${table};`).join("\n")}
return {
  pack(state, into, at) {
    let ${names.map((name) => `${name} = 0`).join(", ")};
    ${packing.lines.join("\n    ")}
    ${names.map((name, index) => `into[at + ${index}] = ${name};`).join(" ")}
    return true;
  },
  unpack(from, at) {
    const ${names.map((name, index) => `${name} = from[at + ${index}]`).join(", ")};
    ${unpacking.lines.join("\n    ")}
    return ${value};
  },
};`)();
  return made;
}
