/** Writes timers. Every one asks for its time first, so that no order is left to the speed of the machine. */
import { statements } from "./statements.ts";
import { block, deeper, type Place, type Writer } from "./writer.ts";

export function appointment(writer: Writer, place: Place, id: number): string {
  const { draws } = writer;
  const ask = `const t${id} = after(${1 + draws.below(4)});`;
  const fired = (most: number): string =>
    block(`due(t${id});\nL("t${id}", v);\n${statements(writer, deeper(place, "plain"), most)}`);
  switch (draws.below(9)) {
    case 0:
    case 1:
      return `if (mayWait()) { ${ask} setTimeout((v) => ${fired(3)}, t${id}.ms, ${id}); }`;
    case 2: {
      const clear = draws.any([
        `clearTimeout(h${id}); forget(t${id});`,
        `process.nextTick(() => { clearTimeout(h${id}); forget(t${id}); });`,
        `if (mayCheck()) setImmediate(() => { clearTimeout(+h${id}); forget(t${id}); });`,
      ]);
      return `if (mayWait()) { ${ask} const h${id} = setTimeout((v) => ${fired(1)}, t${id}.ms, ${id}); ${clear} }`;
    }
    case 3:
      return `if (mayWait()) { ${ask} const h${id} = setTimeout((v) => ${fired(1)}, t${id}.ms, ${id}); if (again(t${id})) h${id}.refresh(); }`;
    case 4: {
      const times = 1 + draws.below(3);
      const ask = `const t${id} = every(${1 + draws.below(3)}, ${times});`;
      const end = `if (++c${id} === ${times}) clearInterval(h${id});`;
      const round = block(
        `due(t${id});\nL("t${id}", c${id});\n${end}\n${statements(writer, deeper(place, "plain"), 2)}`,
      );
      return `if (mayWait()) { ${ask} let c${id} = 0; const h${id} = setInterval(() => ${round}, t${id}.ms); }`;
    }
    case 5: {
      const told = block(`L("t${id}", v);\n${statements(writer, deeper(place, "async"), 2)}`);
      const promise = `checks.setTimeout(t${id}.ms, ${id})`;
      return `if (mayWait()) { ${ask} const p${id} = ${promise}; p${id}.then(() => due(t${id})); K(p${id}.then(async (v) => ${told})); }`;
    }
    case 6: {
      const signal = `signals[${draws.below(4)} % signals.length]`;
      const given = `(e) => { forget(t${id}); L("e${id}", e.name); }`;
      return `if (mayWait()) { ${ask} checks.setTimeout(t${id}.ms, ${id}, { signal: ${signal} }).then((v) => ${fired(2)}, ${given}); }`;
    }
    case 7: {
      const times = 1 + draws.below(3);
      const ask = `const t${id} = every(${1 + draws.below(3)}, ${times});`;
      // Nothing is awaited in it: who is busy would hear of a firing later.
      const round = block(
        `due(t${id});\nL("t${id}", v);\n${statements(writer, deeper(place, "plain"), 2)}\nif (++c${id} === ${times}) break;`,
      );
      const options = draws.any(["", `, { signal: signals[${draws.below(4)} % signals.length] }`]);
      const rounds = `for await (const v of checks.setInterval(t${id}.ms, ${id}${options})) ${round}`;
      return `if (mayWait()) { ${ask} let c${id} = 0; (async () => { ${rounds} })().then(() => { L("e${id}"); }, (e) => { forget(t${id}); L("a${id}", e.name); }); }`;
    }
    default: {
      const heard = block(
        `due(t${id});\nL("t${id}", e.target.reason);\n${statements(writer, deeper(place, "plain"), 2)}`,
      );
      return `if (mayWait()) { ${ask} const s${id} = AbortSignal.timeout(t${id}.ms); signals.push(s${id}); s${id}.addEventListener("abort", (e) => ${heard}); }`;
    }
  }
}
