/**
 * An async function becomes a function of the same kind, name and length that starts a generator with the same body.
 * The text of the parameters and of the body stays where it is; only what goes around it is written.
 */
import type { Context } from "./context.ts";
import type { Shape } from "./function-shape.ts";
import { closing, opening, prototypeText, quoted } from "./generator-text.ts";
import { type HandedOver, handedByArrow, handedByFunction } from "./handed-over.ts";
import { fresh, helper, isTop, type Pass } from "./pass.ts";
import { beginning } from "./prologue.ts";
import { refuseArguments } from "./refusals.ts";
import { Scope } from "./scope.ts";
import { visitBody } from "./statements.ts";
import { type FunctionNode, lengthOf, saysUseStrict, simpleParameters } from "./syntax.ts";
import { usesOf } from "./uses.ts";
import { type Place, visit } from "./visit.ts";

export function lowerFunction(pass: Pass, node: FunctionNode, shape: Shape, place: Place): void {
  const { text } = pass;
  const arrow = node.type === "ArrowFunctionExpression";
  const strict = place.context.strict || saysUseStrict(node.body);
  const uses = usesOf(node, () => pass.targets().supers);
  const kind = node.generator ? "async generator" : "async";
  const handed = arrow
    ? handedByArrow(uses, pass.hidden, place.context, strict)
    : handedByFunction(uses, pass.hidden, kind, strict);
  const simple = simpleParameters(node);
  const aliased = !arrow && !strict && simple !== null && simple.length > 0 && handed.names.length > 0;
  refuseArguments(pass, uses, aliased);

  const name = shape.name ?? pass.namesGiven.get(node) ?? "";
  const starter = helper(pass, `${node.generator ? "asyncGenerator" : "async"}${simple === null ? "With" : ""}`);
  const slot = place.scope?.keep(fresh(pass, "g")) ?? null;
  const begin = `${starter}(${opening(slot, node, name)}`;
  const prototype = node.generator ? `, ${prototypeText(node, pass.targets().names)}` : "";
  const end = `${prototype}, ${quoted(name)})`;
  const first = simple !== null && saysUseStrict(node.body) ? '"use strict"; ' : "";
  const early = isTop(pass, node, place.scope) ? `${beginning(pass)} ` : "";

  text.update(shape.asyncAt, shape.asyncAt + "async".length, shape.insteadOfAsync);
  // A space: nothing else may stand between `function*` and the name.
  if (shape.starAt >= 0) text.update(shape.starAt, shape.starAt + 1, " ");
  if (simple === null) {
    for (const parameter of node.params) visit(pass, parameter, { scope: null, context: handed.inner });
  }
  const inBody = visitAsyncBody(pass, node, handed.inner);
  const before = node.body.type === "BlockStatement" ? "" : `{ ${inBody.declaration}return (`;
  const after = node.body.type === "BlockStatement" ? "" : ") }";
  const makes = `${arrow ? "" : `{ ${first}${early}return `}${begin}(`;
  const ends = arrow ? "" : " }";
  if (simple !== null) {
    text.appendLeft(shape.bodyAt, `${arrow ? " " : ""}${makes}${[...handed.names, ...simple].join(", ")}) ${before}`);
    const own = !arrow && uses.parameters !== null && handed.names.length === 0;
    const call = own ? `.apply(${handed.self ?? "void 0"}, arguments)` : callOf(handed, simple);
    text.appendLeft(node.end, `${after}${closing(node, name)}${call}${end}${ends}`);
    return;
  }
  const places = Array.from({ length: lengthOf(node) }, (_, index) => `${pass.prefix}p${index}`);
  const rest = arrow ? [...places, `...${pass.prefix}rest`] : places;
  const hidden = handed.names.map((one) => `${one}, `).join("");
  text.appendLeft(shape.parametersAt, `${rest.join(", ")}) ${arrow ? "=> " : ""}${makes}${hidden}`);
  if (arrow) text.update(shape.arrowAt, shape.arrowAt + 2, before);
  const all = listOf(handed.values, arrow ? rest : null);
  text.appendLeft(node.end, `${after}${closing(node, name)}, ${handed.self ?? "void 0"}, ${all}${end}${ends}`);
}

/** An expression gets a scope, too, which the caller then declares. */
function visitAsyncBody(pass: Pass, node: FunctionNode, context: Context): Scope {
  const scope = new Scope("var");
  if (node.body.type === "BlockStatement") visitBody(pass, node.body, node.body.start + 1, context, scope);
  else visit(pass, node.body, { scope, context });
  return scope;
}

function callOf(handed: HandedOver, parameters: readonly string[]): string {
  const given = [...handed.values, ...parameters];
  return handed.self === null ? `(${given.join(", ")})` : `.call(${[handed.self, ...given].join(", ")})`;
}

/** What the generator is called with: an arrow has no `arguments` of its own. */
function listOf(values: readonly string[], parameters: readonly string[] | null): string {
  if (parameters !== null) return `[${[...values, ...parameters].join(", ")}]`;
  return values.length === 0 ? "arguments" : `[${[...values, "...arguments"].join(", ")}]`;
}
