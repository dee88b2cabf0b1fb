/** The generator that an async function's body goes into. */
import { eachTarget, type FunctionNode, simpleParameters } from "./syntax.ts";

const word = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/**
 * Up to the parenthesis of the parameters. Stacks show the name of the generator. A function expression would see
 * itself under its name, so the name comes from a method, an empty one, too: V8 would take that of the variable. But
 * methods allow no two parameters of one name.
 */
export function opening(slot: string | null, node: FunctionNode, name: string): string {
  return `(${slot === null ? "" : `${slot} ??= `}${isMethod(node) ? `({ *${keyOf(name)}` : "(0, function*"}`;
}

export function closing(node: FunctionNode, name: string): string {
  if (!isMethod(node)) return "))";
  return word.test(name) ? ` }).${name})` : ` })[${quoted(name)}])`;
}

/** What the objects of an async generator inherit from, as far as the function can be named safely. */
export function prototypeText(node: FunctionNode, assigned: ReadonlySet<string>): string {
  const name = node.type === "ArrowFunctionExpression" ? undefined : node.id?.name;
  if (name === undefined || assigned.has(name)) return "void 0";
  let hidden = false;
  for (const parameter of node.params) {
    eachTarget(parameter, (target) => {
      if (target.type === "Identifier" && target.name === name) hidden = true;
    });
  }
  return hidden ? "void 0" : `${name}.prototype`;
}

/** A string as source text. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

function isMethod(node: FunctionNode): boolean {
  const doubled = simpleParameters(node) === null && node.params.every(({ type }) => type === "Identifier");
  return !doubled;
}

function keyOf(name: string): string {
  return word.test(name) ? name : quoted(name);
}
