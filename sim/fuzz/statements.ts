/** Writes statements. The first alternative is the simplest. */

import { appointment } from "./appointments-text.ts";
import { control, forAwait } from "./control-text.ts";
import { expression } from "./expressions.ts";
import { iterable } from "./iterables-text.ts";
import { listening } from "./listening.ts";
import { storing } from "./stores-text.ts";
import { awaits, block, deeper, type Place, type Writer } from "./writer.ts";

/** Writes one to `most` statements, with a scope of their own. */
export function statements(writer: Writer, place: Place, most: number): string {
  const count = 1 + writer.draws.below(most);
  const outer = writer.variables.length;
  const lines: string[] = [];
  for (let at = 0; at < count; at++) lines.push(statement(writer, place));
  writer.variables.length = outer;
  return lines.join("\n");
}

function statement(writer: Writer, place: Place): string {
  const { draws } = writer;
  const id = writer.label();
  const log = `L("s${id}");`;
  if (writer.spent(place)) return log;
  const body = (most: number, into: Place["in"] = place.in): string =>
    block(statements(writer, deeper(place, into), most));
  switch (draws.below(28)) {
    case 0:
      return log;
    case 1:
    case 2:
    case 3:
    case 4:
      return awaits(place) ? `L("w${id}", await ${expression(writer, place)});` : log;
    case 5: {
      const made = expression(writer, place);
      writer.variables.push(`v${id}`);
      return `const v${id} = ${made};`;
    }
    case 6:
      return `try ${body(3)} catch (e) ${block(`L("k${id}", e);${draws.oneIn(3) ? `\n${statements(writer, deeper(place), 2)}` : ""}`)}`;
    case 7:
      return `try ${body(3)} finally ${block(`L("y${id}");${draws.oneIn(2) ? `\n${statements(writer, deeper(place), 2)}` : ""}`)}`;
    case 8:
      return `queueMicrotask(() => ${body(2, "plain")});`;
    case 9:
      return `process.nextTick((v) => ${block(`L("n${id}", v);\n${statements(writer, deeper(place, "plain"), 2)}`)}, ${id});`;
    case 10:
    case 11:
      return `if (mayCheck()) setImmediate((v) => ${block(`L("i${id}", v);\n${statements(writer, deeper(place, "plain"), 3)}`)}, ${id});`;
    case 12:
      return clearedImmediate(writer, id);
    case 13:
      return `P(${expression(writer, place)}).then((v) => { L("p${id}", v); }, (e) => { L("r${id}", e); });`;
    case 14:
      return handledLate(writer, place, id);
    case 15:
      return mayThrow(writer, place) ? `if (x > ${draws.below(9)}) throw "e${id}";` : log;
    case 16:
      return awaits(place)
        ? `if (x > ${draws.below(9)}) return ${draws.any(["", "await "])}${expression(writer, place)};`
        : log;
    case 17:
    case 18:
      return awaits(place) ? forAwait(writer, place, id) : log;
    case 19:
      return driven(writer, place, id) ?? log;
    case 20:
      return listening(writer, place, id);
    case 21:
      return writer.timed ? appointment(writer, place, id) : listening(writer, place, id);
    case 22:
      return storing(writer, place, id);
    case 23:
    case 24:
    case 25:
      return awaits(place) ? control(writer, place, id) : log;
    default:
      return yielding(writer, place, id) ?? log;
  }
}

/** Nobody would catch what a callback throws. */
function mayThrow(writer: Writer, place: Place): boolean {
  return place.in !== "plain" || writer.loose;
}

function clearedImmediate(writer: Writer, id: number): string {
  const clear = writer.draws.any([
    `clearImmediate(h${id});`,
    `process.nextTick(clearImmediate, h${id});`,
    `queueMicrotask(() => clearImmediate(h${id}));`,
    `setImmediate(() => { L("z${id}"); clearImmediate(h${id}); });`,
    `setImmediate(() => { L("z${id}"); process.nextTick(() => clearImmediate(h${id})); });`,
  ]);
  const set = `const h${id} = setImmediate(() => { L("i${id}"); });`;
  return `if (mayCheck()) { ${writer.draws.any([`${set} ${clear}`, `let h${id}; ${clear} ${set.replace("const ", "")}`])} }`;
}

/** A rejection that gets its handler before the drain is over. */
function handledLate(writer: Writer, place: Place, id: number): string {
  const handle = `q${id}.catch((e) => { L("l${id}", e); })`;
  const late = writer.draws.any([
    `queueMicrotask(() => { ${handle}; });`,
    `process.nextTick(() => { ${handle}; });`,
    `queueMicrotask(() => process.nextTick(() => { ${handle}; }));`,
    `process.nextTick(() => queueMicrotask(() => { ${handle}; }));`,
    `(async () => { for (let at = 0; at < ${id % 7}; at++) await at; ${handle}; })();`,
  ]);
  return `{ const q${id} = Promise.reject(${expression(writer, deeper(place, "plain"))}); ${late} }`;
}

/** An async generator driven by hand, its calls queueing up. */
function driven(writer: Writer, place: Place, id: number): string | null {
  const { draws } = writer;
  const made = writer.call(place, ["generator"]);
  if (made === null) return null;
  const calls: string[] = [];
  for (let count = 1 + draws.below(4); count > 0; count--) {
    const given = draws.oneIn(3) ? expression(writer, deeper(place)) : `${writer.label()}`;
    const call = `g${id}.${draws.any(["next", "next", "next", "return", "throw"])}(${given})`;
    calls.push(`${call}.then((v) => { L("ag${writer.label()}", v); }, (e) => { L("ae${writer.label()}", e); });`);
  }
  return block([`const g${id} = ${made};`, ...calls].join("\n"));
}

function yielding(writer: Writer, place: Place, id: number): string | null {
  if (place.in === "sync generator") return `yield ${expression(writer, place)};`;
  if (place.in !== "generator") return null;
  switch (writer.draws.below(8)) {
    case 0:
    case 1:
    case 2:
      return `L("u${id}", yield* ${iterable(writer, place)});`;
    case 3:
      return `L("u${id}", yield);`;
    case 4:
      return `if (x > ${writer.draws.below(9)}) return yield ${expression(writer, place)};`;
    default:
      return `L("u${id}", yield ${expression(writer, place)});`;
  }
}
