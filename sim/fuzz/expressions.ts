/** Writes expressions: promises of every making, thenables, combinators, calls. The first alternative is the simplest. */
import { awaitInside } from "./awaits-text.ts";
import { oddPromise, thenable } from "./promises-text.ts";
import { statements } from "./statements.ts";
import { awaits, block, deeper, type Place, type Writer } from "./writer.ts";

export function expression(writer: Writer, place: Place): string {
  const { draws } = writer;
  const inner = (): string => expression(writer, deeper(place));
  const id = writer.label();
  if (writer.spent(place)) return `${id}`;
  switch (draws.below(33)) {
    case 0:
      return `${id}`;
    case 1:
      return `Promise.resolve(${inner()})`;
    case 2:
      return writer.keep(`Promise.reject("e${id}")`);
    case 3:
    case 4:
    case 5:
      return writer.keep(writer.call(place, ["async"]) ?? `Promise.resolve(${id})`);
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
    case 27:
    case 28:
      return oddPromise(writer, place, id);
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
    case 29:
    case 30:
      return awaits(place) ? awaitInside(writer, place) : `${id}`;
    case 31:
      return place.in === "generator" ? `(yield ${inner()})` : `${id}`;
    case 32: {
      const within = deeper(place, "async");
      const late = draws.any(["", `await ${expression(writer, within)}; `]);
      return writer.keep(
        `(async () => { ${late}return later(${id}, ${draws.below(3)}, ${expression(writer, within)}); })()`,
      );
    }
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
