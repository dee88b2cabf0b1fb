/** Writes functions in every form that JavaScript has for them, each called as `f0(1)`. The first one is the simplest. */
import { statements } from "./statements.ts";
import { block, type FunctionKind, type Place, type Writer } from "./writer.ts";

export function functionText(writer: Writer, kind: FunctionKind, index: number): string {
  const { draws } = writer;
  const place: Place = { within: index, depth: 0, in: kind };
  writer.budget = 8 + draws.below(16);
  if (kind === "sync generator") return `function* f${index}(x) ${block(statements(writer, place, 5))}`;
  const text = statements(writer, place, 5);
  const parameters = parametersText(writer, kind, index);
  return kind === "async" ? asyncText(writer, index, parameters, text) : generatorText(writer, index, parameters, text);
}

function parametersText({ draws, loose }: Writer, kind: FunctionKind, index: number): string {
  const quiet = draws.any(["x", "x = 3", "x, y = x", "...[x]", "{ a: x = 4 }", "x, f = async () => x"]);
  // Nobody may be there to catch what calling a generator throws, while the promise of an async function takes it.
  if (kind !== "async" && !loose) return quiet;
  return draws.any([
    quiet,
    quiet,
    quiet,
    `x, y = x > 6 ? fail("d${index}") : x`,
    `x, { y } = x > 6 ? null : {}`,
    `x, [y] = x > 6 ? refusing("d${index}") : [x]`,
  ]);
}

function asyncText({ draws }: Writer, index: number, parameters: string, text: string): string {
  const body = block(text);
  /** Says first what only the right `this` (or `super`, `new.target`, …) can say. */
  const saying = (what: string): string => block(`L("own${index}", ${what});\n${text}`);
  const called = (made: string): string =>
    `const o${index} = ${made};\nconst f${index} = (...a) => o${index}.run(...a);`;
  switch (draws.below(13)) {
    case 0:
    case 1:
      return `async function f${index}(${parameters}) ${body}`;
    case 2:
      return `const f${index} = async (${parameters}) => ${body};`;
    case 3:
      return `const f${index} = async function named(${parameters}) ${saying("typeof named")};`;
    case 4:
      return called(`new (class { #own = ${index}; async run(${parameters}) ${saying("this.#own")} })()`);
    case 5:
      return called(
        `new (class { #own = ${index}; async #go(${parameters}) ${saying("#own in this")} run(...a) { return this.#go(...a); } })()`,
      );
    case 6:
      return called(
        `class { static #own = ${index}; static async #go(${parameters}) ${saying("this.#own++")} static run(...a) { return this.#go(...a); } }`,
      );
    case 7:
      return called(`new (class extends Base { async run(${parameters}) ${saying(`super.run(${index})`)} })()`);
    case 8:
      return called(
        `Object.setPrototypeOf({ async run(${parameters}) ${saying(`super.run(${index})`)} }, Base.prototype)`,
      );
    case 9:
      return `async function f${index}() ${block(`let [x] = arguments;\nL("own${index}", arguments.length);\n${text}`)}`;
    case 10:
      return `const f${index} = (x) => new (class C { constructor() { this.made = (async () => ${saying("new.target === C && this instanceof C")})(); } })().made;`;
    case 11:
      return called(
        `new (class extends Base { own = ${index}; run = async (${parameters}) => ${saying("super.run(this.own)")}; })()`,
      );
    default:
      return called(`{ own: ${index}, async ["ru" + "n"](${parameters}) ${saying("this.own")} }`);
  }
}

function generatorText({ draws }: Writer, index: number, parameters: string, text: string): string {
  const body = block(text);
  const saying = (what: string): string => block(`L("own${index}", ${what});\n${text}`);
  const called = (made: string): string =>
    `const o${index} = ${made};\nconst f${index} = (...a) => o${index}.run(...a);`;
  switch (draws.below(8)) {
    case 0:
    case 1:
      return `async function* f${index}(${parameters}) ${body}`;
    case 2:
      return `const f${index} = async function* named(${parameters}) ${saying("typeof named")};`;
    case 3:
      return called(`new (class { #own = ${index}; async *run(${parameters}) ${saying("this.#own")} })()`);
    case 4:
      return called(
        `new (class { #own = ${index}; async *#go(${parameters}) ${saying("#own in this")} run(...a) { return this.#go(...a); } })()`,
      );
    case 5:
      return called(`class extends Base { static async *run(${parameters}) ${saying(`super.say(${index})`)} }`);
    case 6:
      return called(
        `Object.setPrototypeOf({ async *run(${parameters}) ${saying(`super.run(${index})`)} }, Base.prototype)`,
      );
    default:
      return `async function* f${index}() ${block(`let [x] = arguments;\nL("own${index}", arguments.length);\n${text}`)}`;
  }
}
