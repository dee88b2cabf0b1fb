/** Writes awaits where what was computed before them has to be kept. The first alternative is the simplest. */
import { expression } from "./expressions.ts";
import { deeper, type Place, type Writer } from "./writer.ts";

export function awaitInside(writer: Writer, place: Place): string {
  const { draws } = writer;
  const inner = (): string => expression(writer, deeper(place));
  const awaited = (): string => `await ${inner()}`;
  switch (draws.below(16)) {
    case 0:
      return `[${inner()}, ${awaited()}, ${awaited()}]`;
    case 1:
      return `{ a: ${inner()}, b: ${awaited()}, [typeof (${awaited()})]: ${inner()} }`;
    case 2:
      // The sum is one with what x was before.
      return `(x += Number(typeof (${awaited()}) === "object"))`;
    case 3:
      return `((${awaited()}) ${draws.any(["??", "&&", "||"])} (${awaited()}))`;
    case 4:
      return `(x > ${draws.below(9)} ? ${awaited()} : ${awaited()})`;
    case 5:
      return `((s, ...v) => [...s, ...v])\`a\${${awaited()}}b\${${inner()}}\``;
    case 6:
      return `((...v) => v)(${inner()}, ...[${awaited()}], ${awaited()})`;
    case 7:
      return `new (class { constructor(v, w) { this.v = v; this.w = w; } })(${inner()}, ${awaited()})`;
    case 8:
      return `Object.keys(class { static [typeof (${awaited()})] = ${writer.label()}; })`;
    case 9:
      return `new (class extends (${awaited()}, Base) { own = 1; })().own`;
    case 10:
      return `(${awaited()}, ${awaited()})`;
    case 11:
      return `(({ a = 1, ...b }) => [a, b])({ c: ${awaited()}, ...{ d: ${awaited()} } })`;
    case 12:
      return `(await (await (async () => () => (${expression(writer, deeper(place, "plain"))}))())())`;
    case 13:
      return `kept[((${awaited()}), "at")]?.[${awaited()}]`;
    case 14:
      return `(kept.at = ${awaited()})`;
    default:
      return `(typeof (${awaited()}) + typeof (${awaited()}))`;
  }
}
