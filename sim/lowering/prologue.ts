/**
 * The first statement of a lowered file: it notes that the file is lowered, and takes what it calls. It stands on the
 * first line, so that no line moves.
 */
import type { Lowered } from "../microtask/lowered.ts";
import type { Pass } from "./pass.ts";

export type Helper = keyof Lowered;

const entry = 'globalThis[Symbol.for("microloom.lowered")]';
/** Where the file has globals of its own by these names. */
const entryElsewhere = `[].constructor.constructor(${JSON.stringify(`return ${entry}`)})()`;

const mayDeclareOurs = /\bglobalThis\b|\bSymbol\b(?!\s*[.(])/;

/** What every lowered file has, and hardly any other. */
const mark = 'microloom.lowered")] ?? (() => { throw ';
const markElsewhere = 'microloom.lowered\\")]")() ?? (() => { throw ';

export function isLoweredText(code: string): boolean {
  return code.includes(mark) || code.includes(markElsewhere);
}

export function prologue(pass: Pass, file: string): string {
  const names = [...pass.helpers].sort();
  const declared = names.map((name) => `${name}: ${pass.prefix}${name}`).join(", ");
  const ownGlobals = mayDeclareOurs.test(pass.code) && declaresOurs(pass.targets().declared);
  const asked = `(${ownGlobals ? entryElsewhere : entry} ?? ${missing(file)}).at(${JSON.stringify(file)})`;
  const apply = pass.applies ? `${pass.prefix}apply` : null;
  if (names.length === 0) return `${asked};`;
  if (!pass.calledEarly) {
    return `const { ${declared} } = ${asked}${apply === null ? "" : `, ${apply} = Reflect.apply`};`;
  }
  // In a cycle of imports, another module calls functions of this one before its first statement runs.
  const variables = [...names.map((name) => pass.prefix + name), ready(pass), ...(apply === null ? [] : [apply])];
  const applied = apply === null ? "" : ` ${apply} = Reflect.apply;`;
  const take = `({ ${declared} } = ${asked});${applied} ${ready(pass)} = true;`;
  return `var ${variables.join(", ")}; function ${pass.prefix}begin() { ${take} } ${beginning(pass)}`;
}

/** What a function begins with that may be called early. */
export function beginning(pass: Pass): string {
  return `${ready(pass)} || ${pass.prefix}begin();`;
}

function ready(pass: Pass): string {
  return `${pass.prefix}ready`;
}

function missing(file: string): string {
  const what = `Cannot run ${file}: it was lowered for microloom's microtask engine, and microloom/runtime was not loaded before it`;
  const todo = "load it through microloom/vite or node --import microloom/loader";
  const made = `Object.assign(new Error(${JSON.stringify(`${what}; ${todo}`)}), { name: "NotLoaded" })`;
  return `(() => { throw ${made} })()`;
}

function declaresOurs(declared: ReadonlySet<string>): boolean {
  return declared.has("globalThis") || declared.has("Symbol");
}
