/** Writes the ways of control that an await can lie on. The first alternative is the simplest. */
import { expression } from "./expressions.ts";
import { iterable } from "./iterables-text.ts";
import { statements } from "./statements.ts";
import { block, deeper, type Place, type Writer } from "./writer.ts";

export function control(writer: Writer, place: Place, id: number): string {
  const { draws } = writer;
  const inner = (): string => expression(writer, deeper(place));
  const body = (most: number): string => statements(writer, deeper(place), most);
  const leave = (): string =>
    draws.any(["", "break;", "continue;", `if (c${id} > 1) continue;`, `throw "e${id}";`, "return x;"]);
  switch (draws.below(12)) {
    case 0:
      return `if (await ${inner()}) ${block(body(2))} else ${block(`L("s${id}");`)}`;
    case 1:
      return `switch (await ${inner()}) { case ${draws.below(9)}: ${body(1)}\n case await ${inner()}: L("c${id}"); ${draws.any(["", "break;"])} default: ${body(1)} }`;
    case 2:
      return `{ let c${id} = 0; while (c${id}++ < 2 && (await ${inner()}) !== 7) ${block(`L("s${id}", c${id});\n${body(1)}\n${leave()}`)} }`;
    case 3:
      return `{ let c${id} = 0; do ${block(`${body(1)}\n${leave()}`)} while (c${id}++ < 1 && (await ${inner()}, true)); }`;
    case 4: {
      // Every round has a variable of its own.
      const round = block(`m${id}.push(() => c${id});\n${body(1)}\n${leave()}`);
      return `{ const m${id} = []; try { for (let c${id} = 0; c${id} < 2; await ${inner()}, c${id}++) ${round} } finally { for (const m of m${id}) L("m${id}", m()); } }`;
    }
    case 5: {
      const over = writer.call(place, ["sync generator"]) ?? `[1, await ${inner()}]`;
      return `{ let c${id} = 0; for (const z${id} of ${over}) ${block(`L("z${id}", z${id});\n${body(1)}\nif (c${id}++ > 5) break;\n${leave()}`)} }`;
    }
    case 6:
      return `for (const z${id} in { a: 1, [typeof (await ${inner()})]: 2 }) ${block(`L("z${id}", z${id});\n${body(1)}`)}`;
    case 7: {
      const last = draws.any(["", "", "return x;", `throw "e${id}";`, `if (x > ${draws.below(9)}) return ${inner()};`]);
      const first = draws.any([`return ${inner()};`, `throw await ${inner()};`, `throw "t${id}";`]);
      return `if (x > ${draws.below(9)}) try ${block(first)} finally ${block(`L("y${id}", await ${inner()});\n${last}`)}`;
    }
    case 8:
      return `l${id}: ${block(`${body(1)}\nif (x > ${draws.below(9)}) break l${id};\nL("s${id}", await ${inner()});`)}`;
    case 9: {
      // Called before it is written.
      const hoisted = `async function h${id}(x) ${block(statements(writer, deeper(place, "async"), 2))}`;
      return block(`L("h${id}", await K(h${id}(${draws.below(9)})));\n${hoisted}`);
    }
    case 10: {
      const { one, other } = draws.any([
        { one: `{ a: d${id} = await ${inner()}, ...g${id} }`, other: `{ b: ${inner()} }` },
        { one: `[d${id} = await ${inner()}, ...g${id}]`, other: `[undefined, ${inner()}]` },
      ]);
      return `{ const ${one} = ${other}; L("d${id}", [d${id}, g${id}]); }`;
    }
    default:
      return nested(writer, place, id);
  }
}

/** A `for await` in another one, that is left for the outer one. */
function nested(writer: Writer, place: Place, id: number): string {
  const { draws } = writer;
  const end = draws.any([
    `break l${id};`,
    `continue l${id};`,
    "break;",
    `if (c${id} > 1) continue l${id};`,
    `if (c${id} > 1) break l${id};`,
    "return x;",
  ]);
  const round = block(`L("j${id}", w${id});\nif (c${id}++ > 3) break l${id};\n${end}`);
  const inside = `for await (const w${id} of ${iterable(writer, deeper(place))}) ${round}`;
  const outside = block(`L("i${id}", z${id});\n${inside}\nif (c${id}++ > 5) break;`);
  return `{ let c${id} = 0; l${id}: for await (const z${id} of ${iterable(writer, deeper(place))}) ${outside} }`;
}

export function forAwait(writer: Writer, place: Place, id: number): string {
  const { draws } = writer;
  const named = `${draws.any(["const", "let", "var"])} z${id}`;
  const head = draws.any([
    named,
    named,
    `const { a: z${id} = await ${expression(writer, deeper(place))} }`,
    `const [z${id} = 1]`,
    `kept.z${id}`,
    `{ a: kept.z${id} = 2 }`,
  ]);
  const seen = head.includes("kept.") ? `kept.z${id}` : `z${id}`;
  const over = iterable(writer, place);
  const inner = draws.oneIn(2) ? `\n${statements(writer, deeper(place), 2)}` : "";
  const end = draws.any([
    "",
    "break;",
    "continue;",
    `throw "e${id}";`,
    "return x;",
    `return ${expression(writer, deeper(place))};`,
    `if (c${id} > 0) break;`,
    `if (c${id} > 0) continue l${id};`,
    `if (c${id} > 0) break l${id};`,
    `try { break; } finally { L("f${id}", await ${expression(writer, deeper(place))}); }`,
  ]);
  const round = block(`L("i${id}", ${seen});${inner}\nif (c${id}++ > 5) break;\n${end}`);
  return `{ let c${id} = 0; l${id}: for await (${head} of ${over}) ${round} }`;
}
