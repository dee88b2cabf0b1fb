/** Writes promises out of the ordinary: of subclasses, with properties of their own, and what only looks like one. */
import { expression } from "./expressions.ts";
import { deeper, type Place, type Writer } from "./writer.ts";

export function oddPromise(writer: Writer, place: Place, id: number): string {
  const { draws } = writer;
  const inner = (): string => expression(writer, deeper(place));
  const plain = (): string => expression(writer, deeper(place, "plain"));
  const heir = draws.any(["Sub", "Told", "Refusing", "Other"]);
  switch (draws.below(10)) {
    case 0:
      return writer.keep(`Sub.${draws.any(["resolve", "reject"])}(${inner()})`);
    case 1:
      return writer.keep(`new ${heir}((a, b) => { ${draws.any(["a", "b"])}(${plain()}); })`);
    case 2:
      return writer.keep(`${draws.any(["Sub", "Told", "Other"])}.${draws.any(["resolve", "reject"])}(${inner()})`);
    case 3:
      return writer.keep(`${heir}.${draws.any(["all", "race", "any", "allSettled"])}([${inner()}, ${inner()}])`);
    case 4:
      return writer.keep(`Promise.${draws.any(["all", "race", "any", "allSettled"])}(${sources(writer, place, id)})`);
    case 5:
      return writer.keep(
        `new ${heir}((a) => a(${plain()})).${draws.any(["then", "catch", "finally"])}((v) => { L("o${id}", v); return v; })`,
      );
    case 6:
      return writer.keep(`patched(${id}, ${draws.below(3)})`);
    case 7:
      // Nobody but an await may touch it.
      return writer.keep(`(async () => ${draws.any(["await ", ""])}unawaitable(${id}))()`);
    case 8:
      return writer.keep(`cycle(${draws.below(2)})`);
    default:
      return writer.keep(
        `new ${heir}((a, b) => { ${draws.any(["", `a(${plain()}); `, `b("b${id}"); `])}throw "t${id}"; })`,
      );
  }
}

/** What a combinator is given: iterables that are no arrays, with some of their faults. */
function sources(writer: Writer, place: Place, id: number): string {
  const { draws } = writer;
  const inner = (): string => expression(writer, deeper(place));
  return draws.any([
    `new Set([${inner()}, ${inner()}])`,
    writer.call(place, ["sync generator"]) ?? `syncIterator(${id}, 2, 0)`,
    `syncIterator(${id}, ${draws.below(4)}, ${draws.below(64)})`,
    `"ab"`,
    `${id}`,
  ]);
}

export function thenable(writer: Writer, id: number): string {
  return writer.draws.any([
    `{ then(a, b) { L("n${id}"); a(${id}); } }`,
    `{ then(a, b) { L("n${id}"); b("e${id}"); } }`,
    `{ then(a) { queueMicrotask(() => { L("n${id}"); a(${id}); }); } }`,
    `{ then(a) { process.nextTick(a, ${id}); } }`,
    `{ then(a) { if (mayCheck()) setImmediate(a, ${id}); else a(0); } }`,
    `{ get then() { L("n${id}"); throw "e${id}"; } }`,
    `{ then(a, b) { a(${id}); throw "e${id}"; } }`,
    `{ then(a, b) { L("n${id}"); throw "e${id}"; } }`,
    `{ then: ${id} }`,
    `{ then(a) { a({ then(c) { L("n${id}"); c(${id}); } }); } }`,
    `{ then(a, b) { a({ then(c, d) { L("n${id}"); d("e${id}"); } }); b(${id}); } }`,
    `{ then(a, b) { b({ then(c) { L("n${id}"); c(${id}); } }); a(${id}); } }`,
    `{ then(a, b) { a(${id}); a("twice"); b("thrice"); } }`,
    `{ then(a) { a(K(Promise.reject("e${id}"))); a(${id}); } }`,
    `{ then(a) { a(Promise.resolve(${id})); } }`,
    `{ async then(a) { L("n${id}"); await null; a(${id}); } }`,
    `{ then: async (a, b) => { b("e${id}"); } }`,
    `{ get then() { L("n${id}"); return undefined; } }`,
    `{ get then() { L("n${id}"); return (a) => { L("m${id}"); a(${id}); }; } }`,
    `Object.assign(() => {}, { then(a) { a(${id}); } })`,
    `new (class { then(a) { L("n${id}", this instanceof Base); a(${id}); } })()`,
    "{ then() {} }",
  ]);
}
