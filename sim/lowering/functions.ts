/** Functions: plain ones are gone through, async ones become a plain function that starts a generator. */
import type { FunctionExpression } from "acorn";
import { lowerFunction } from "./async-functions.ts";
import { type Context, ownContext } from "./context.ts";
import { functionShape, type MemberNode, methodShape } from "./function-shape.ts";
import { isTop, type Pass } from "./pass.ts";
import { beginning } from "./prologue.ts";
import { afterDirectives, Scope } from "./scope.ts";
import { visitBody } from "./statements.ts";
import { type FunctionNode, saysUseStrict } from "./syntax.ts";
import { type Place, visit } from "./visit.ts";

export function visitFunction(pass: Pass, node: FunctionNode, place: Place): void {
  if (node.async) lowerFunction(pass, node, functionShape(pass.code, node), place);
  else visitPlain(pass, node, place, false);
}

export function visitMethod(
  pass: Pass,
  node: FunctionExpression,
  place: Place,
  member: MemberNode,
  constructing: boolean,
): void {
  if (node.async) lowerFunction(pass, node, methodShape(pass.code, node, member), place);
  else visitPlain(pass, node, place, constructing);
}

function visitPlain(pass: Pass, node: FunctionNode, place: Place, constructing: boolean): void {
  const strict = place.context.strict || saysUseStrict(node.body);
  const context: Context =
    node.type === "ArrowFunctionExpression"
      ? { ...place.context, kind: "plain", strict }
      : { ...ownContext("plain", strict), constructing };
  const before = pass.lowered;
  for (const parameter of node.params) visit(pass, parameter, { scope: null, context });
  if (node.body.type !== "BlockStatement") {
    visitExpressionBody(pass, node, context);
    return;
  }
  const start = node.body.start + 1;
  visitBody(pass, node.body, start, context);
  if (pass.lowered === before || !isTop(pass, node, place.scope)) return;
  const { at, guard } = afterDirectives(pass.code, node.body, start);
  pass.text.appendLeft(at, guard + beginning(pass));
}

/** An arrow without a block gets one where generators are to be kept in it. */
function visitExpressionBody(pass: Pass, node: FunctionNode, context: Context): void {
  const scope = new Scope("var");
  visit(pass, node.body, { scope, context });
  if (scope.declaration === "") return;
  pass.text.appendLeft(functionShape(pass.code, node).bodyAt, ` {${scope.declaration} return (`);
  pass.text.appendLeft(node.end, ") }");
}
