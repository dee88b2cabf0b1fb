/** Writes expressions: promises of every making, thenables, combinators, calls. The first alternative is the simplest. */
import { statements } from "./statements.ts";
import { awaits, block, deeper, type Place, type Writer } from "./writer.ts";

export function expression(writer: Writer, place: Place): string {
  const { draws } = writer;
  const inner = (): string => expression(writer, deeper(place));
  const id = writer.label();
  if (writer.spent(place)) return `${id}`;
  switch (draws.below(27)) {
    case 0:
      return `${id}`;
    case 1:
      return `Promise.resolve(${inner()})`;
    case 2:
      return writer.keep(`Promise.reject("e${id}")`);
    case 3:
    case 4:
    case 5:
      return writer.keep(writer.call(place, ["async", "arrow", "method"]) ?? `Promise.resolve(${id})`);
    case 6:
    case 7:
      return writer.keep(
        `Promise.${draws.any(["all", "race", "any", "allSettled"])}([${list(draws.below(4), inner)}])`,
      );
    case 8:
      return writer.keep(`P(${inner()}).then(${reaction(writer, place)}, ${reaction(writer, place)})`);
    case 9:
      return writer.keep(`P(${inner()}).catch(${reaction(writer, place)})`);
    case 10:
      return writer.keep(`P(${inner()}).finally(${lastReaction(writer, place)})`);
    case 11: {
      const plain = expression(writer, deeper(place, "plain"));
      return writer.keep(`new Promise((a, b) => { L("x${id}"); ${draws.any(["a", "b"])}(${plain}); })`);
    }
    case 12:
    case 13: {
      const later = draws.any(["queueMicrotask", "process.nextTick", "(mayCheck() ? setImmediate : queueMicrotask)"]);
      const plain = expression(writer, deeper(place, "plain"));
      const settle = draws.any(["a", "a", "b"]);
      return writer.keep(`new Promise((a, b) => ${later}(() => { L("d${id}"); ${settle}(${plain}); }))`);
    }
    case 14:
    case 15:
      return thenable(writer, id);
    case 16:
      return writer.keep(`Sub.${draws.any(["resolve", "reject"])}(${inner()})`);
    case 17:
      return writer.variables[draws.below(Math.max(writer.variables.length, 1))] ?? `${id}`;
    case 18:
    case 19:
      return awaits(place) ? `(await ${inner()})` : `${id}`;
    case 20: {
      const generator = writer.call(place, ["generator"]);
      if (generator === null) return `${id}`;
      return writer.keep(`${generator}.${draws.any(["next", "return", "throw"])}(${inner()})`);
    }
    case 21:
      return writer.keep(`(async () => ${block(statements(writer, deeper(place, "async"), 2))})()`);
    case 22: {
      const plain = expression(writer, deeper(place, "async"));
      return writer.keep(`(async (x = ${draws.any(["1", `fail("e${id}")`])}) => (${plain}))()`);
    }
    case 23:
      return writer.keep(`W(${inner()})`);
    case 24: {
      const plain = expression(writer, deeper(place, "plain"));
      const end = draws.any(["", `throw "t${id}";`]);
      return writer.keep(`new Promise((a, b) => { a(${plain}); b("e${id}"); a(${id}); ${end} })`);
    }
    case 25:
      return `io(${id})`;
    default: {
      const phase = draws.any([
        `checks.setImmediate(${id})`,
        `checks.setImmediate(${id}, { ref: true })`,
        "checks.scheduler.yield()",
        `promisify(setImmediate)(${id})`,
      ]);
      return writer.keep(`(mayCheck() ? ${phase} : ${id})`);
    }
  }
}

/** What a for await loop or a yield* runs over. */
export function iterable(writer: Writer, place: Place): string {
  const { draws } = writer;
  const id = writer.label();
  const inner = (): string => expression(writer, deeper(place));
  switch (draws.below(6)) {
    case 0:
      return `[${list(draws.below(4), inner)}]`;
    case 1:
    case 2:
      return writer.call(place, ["generator"]) ?? `iterator(${id}, ${draws.below(4)}, ${draws.below(8)})`;
    case 3:
      return writer.call(place, ["sync generator"]) ?? `iterator(${id}, ${draws.below(4)}, ${draws.below(8)})`;
    case 4:
      return `iterator(${id}, ${draws.below(4)}, ${draws.below(8)})`;
    default:
      return `(async function* () ${block(statements(writer, deeper(place, "generator"), 3))})()`;
  }
}

function list(count: number, make: () => string): string {
  return Array.from({ length: count }, make).join(", ");
}

function reaction(writer: Writer, place: Place): string {
  const id = writer.label();
  switch (writer.draws.below(6)) {
    case 0:
      return `(v) => { L("c${id}", v); return v; }`;
    case 1:
      return "undefined";
    case 2:
      return `(v) => { L("c${id}", v); return ${expression(writer, deeper(place, "plain"))}; }`;
    case 3:
      return `(v) => { L("c${id}", v); throw "e${id}"; }`;
    case 4:
      return `async (v) => ${block(`L("c${id}", v);\n${statements(writer, deeper(place, "async"), 2)}`)}`;
    default:
      return "null";
  }
}

function lastReaction(writer: Writer, place: Place): string {
  const id = writer.label();
  switch (writer.draws.below(4)) {
    case 0:
      return `() => { L("f${id}"); }`;
    case 1:
      return `() => { L("f${id}"); return ${expression(writer, deeper(place, "plain"))}; }`;
    case 2:
      return `() => { L("f${id}"); throw "e${id}"; }`;
    default:
      return "undefined";
  }
}

function thenable(writer: Writer, id: number): string {
  return writer.draws.any([
    `{ then(a, b) { L("n${id}"); a(${id}); } }`,
    `{ then(a, b) { L("n${id}"); b("e${id}"); } }`,
    `{ then(a) { queueMicrotask(() => { L("n${id}"); a(${id}); }); } }`,
    `{ then(a) { process.nextTick(a, ${id}); } }`,
    `{ then(a) { if (mayCheck()) setImmediate(a, ${id}); else a(0); } }`,
    `{ get then() { L("n${id}"); throw "e${id}"; } }`,
    `{ then(a, b) { a(${id}); throw "e${id}"; } }`,
    `{ then: ${id} }`,
    `{ then(a) { a({ then(c) { L("n${id}"); c(${id}); } }); } }`,
    `{ get then() { L("n${id}"); return undefined; } }`,
    `Object.assign(() => {}, { then(a) { a(${id}); } })`,
  ]);
}
