/** Writes what programs do with emitters, event targets and abort signals. */
import { statements } from "./statements.ts";
import { block, deeper, type Place, type Writer } from "./writer.ts";

export function listening(writer: Writer, place: Place, id: number): string {
  const { draws } = writer;
  const type = `"${draws.any(["x", "y"])}"`;
  const stop = draws.any(["", "", "e.stopImmediatePropagation();"]);
  const heard = (value: string): string =>
    block(
      `${value.startsWith("e.") ? stop : ""}L("h${id}", ${value});\n${statements(writer, deeper(place, "plain"), 2)}`,
    );
  const signal = `signals[${draws.below(4)} % signals.length]`;
  switch (draws.below(14)) {
    case 0:
      return `if (fuel()) emitter.emit(${type}, ${id});`;
    case 1:
      return `emitter.${draws.any(["on", "once", "prependListener", "prependOnceListener"])}(${type}, (v) => ${heard("v")});`;
    case 2:
      return `if (fuel()) target.dispatchEvent(new Event(${type}));`;
    case 3:
    case 4: {
      const options = draws.any([
        "",
        ", { once: true }",
        `, { signal: ${signal} }`,
        `, { signal: ${signal}, once: true }`,
      ]);
      return `target.addEventListener(${type}, (e) => ${heard("e.type")}${options});`;
    }
    case 5:
    case 6:
      return `${signal}.addEventListener("abort", (e) => ${heard("e.target.reason")}${draws.any(["", ", { once: true }"])});`;
    case 7:
      return `${signal}.onabort = () => ${heard("undefined")};`;
    case 8:
      // Inside an abort Node 20 refuses some of them.
      return `try { signals.push(AbortSignal.any([${signal}, signals[${draws.below(4)} % signals.length]])); } catch (e) { L("g${id}"); }`;
    case 9:
      return `controllers[${draws.below(2)}].abort(${draws.any([`"a${id}"`, ""])});`;
    case 10:
      return `K(once(${draws.any(["emitter", "target"])}, ${type}${draws.any(["", `, { signal: ${signal} }`])})).then((v) => { L("o${id}", v); }, (e) => { L("p${id}", e); });`;
    case 11: {
      const round = block(`L("h${id}", v);\n${statements(writer, deeper(place, "async"), 2)}\nif (c++ > 1) break;`);
      const over = `on(emitter, ${type}${draws.any(["", `, { signal: ${signal} }`])})`;
      return writer.keep(`(async () => { let c = 0; for await (const [v] of ${over}) ${round} })()`).concat(";");
    }
    case 12:
      return `L("b${id}", ${signal}.aborted);`;
    default:
      return `if (mayCheck()) K(checks.setImmediate(${id}, { signal: ${signal} })).then((v) => { L("o${id}", v); }, (e) => { L("p${id}", e.name); });`;
  }
}
