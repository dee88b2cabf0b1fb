/** Goes through a program and hands what is async to whoever lowers it. */
import type { AnyNode, LabeledStatement } from "acorn";
import { lowerAwait, lowerReturn, lowerYield } from "./awaits.ts";
import { visitClass, visitMember } from "./classes.ts";
import { type Context, ownContext } from "./context.ts";
import { lowerForAwait } from "./for-await.ts";
import { visitFunction } from "./functions.ts";
import { lowerImport } from "./imports.ts";
import { isAskedForItsKind } from "./left-native.ts";
import { noteName } from "./names.ts";
import type { Pass } from "./pass.ts";
import { refuseCallee, refuseEval, refuseName, refuseSwitch, visitWith } from "./refusals.ts";
import type { Scope } from "./scope.ts";
import { visitBlock, visitBody, visitLoopBody, visitStatements } from "./statements.ts";
import { lowerSuper, lowerSuperCall, lowerSuperTag, refuseSuperDelete } from "./super.ts";
import { eachChild } from "./syntax.ts";

export type Place = {
  /** Where generators are kept; null where text runs again within one scope. */
  readonly scope: Scope | null;
  readonly context: Context;
};

export function visit(pass: Pass, node: AnyNode, place: Place): void {
  const { context } = place;
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      visitFunction(pass, node, place);
      return;
    case "VariableDeclarator":
      noteName(pass, node.id, node.init);
      break;
    case "AssignmentExpression":
    case "AssignmentPattern":
      noteName(pass, node.left, node.right);
      break;
    case "ClassDeclaration":
    case "ClassExpression":
      visitClass(pass, node, place);
      return;
    case "Property":
      visitMember(pass, node, place);
      return;
    case "BlockStatement":
      visitBlock(pass, node, context);
      return;
    case "StaticBlock":
      visitBody(pass, node, pass.code.indexOf("{", node.start) + 1, ownContext("plain", true));
      return;
    case "AwaitExpression":
      if (context.kind === "plain") break;
      lowerAwait(pass, node, place);
      return;
    case "YieldExpression":
      if (context.kind !== "async generator") break;
      lowerYield(pass, node, place);
      return;
    case "ReturnStatement":
      if (context.kind !== "async generator") break;
      lowerReturn(pass, node, place);
      return;
    case "ImportExpression":
      lowerImport(pass, node, place);
      return;
    case "ThisExpression":
      if (context.self !== "this") pass.text.update(node.start, node.end, context.self);
      return;
    case "MetaProperty":
      if (node.meta.name === "new" && context.newTarget !== "new.target") {
        pass.text.update(node.start, node.end, context.newTarget);
      }
      return;
    case "Identifier":
      refuseName(pass, node, context);
      if (node.name === "arguments" && context.parameters !== "arguments") {
        pass.text.update(node.start, node.end, context.parameters);
      }
      return;
    case "MemberExpression":
      if (isAskedForItsKind(node)) return;
      refuseCallee(pass, node, context);
      if (node.object.type === "Super") {
        lowerSuper(pass, node, place);
        return;
      }
      visit(pass, node.object, place);
      if (node.computed) visit(pass, node.property, place);
      return;
    case "CallExpression":
      refuseEval(pass, node, context);
      if (isAskedForItsKind(node)) return;
      if (lowerSuperCall(pass, node, place)) return;
      break;
    case "TaggedTemplateExpression":
      if (lowerSuperTag(pass, node, place)) return;
      break;
    case "UnaryExpression":
      refuseSuperDelete(pass, node, context);
      break;
    case "LabeledStatement":
      visitLabeled(pass, node, place);
      return;
    case "ForOfStatement":
      if (node.await && context.kind !== "plain") {
        lowerForAwait(pass, node, [], place);
        return;
      }
      visitLoop(pass, [node.left, node.right], context);
      visitLoopBody(pass, node.body, context);
      return;
    case "ForInStatement":
      visitLoop(pass, [node.left, node.right], context);
      visitLoopBody(pass, node.body, context);
      return;
    case "ForStatement":
      visitLoop(pass, [node.init, node.test, node.update], context);
      visitLoopBody(pass, node.body, context);
      return;
    case "WhileStatement":
      visitLoop(pass, [node.test], context);
      visitLoopBody(pass, node.body, context);
      return;
    case "DoWhileStatement":
      visitLoopBody(pass, node.body, context);
      visitLoop(pass, [node.test], context);
      return;
    case "SwitchStatement":
      refuseSwitch(pass, node, context);
      visit(pass, node.discriminant, place);
      for (const { test, consequent } of node.cases) {
        if (test !== null && test !== undefined) visit(pass, test, { scope: null, context });
        visitStatements(pass, consequent, null, context);
      }
      return;
    case "CatchClause":
      if (node.param !== null && node.param !== undefined) visit(pass, node.param, { scope: null, context });
      visitBlock(pass, node.body, context);
      return;
    case "WithStatement":
      visitWith(pass, node, place);
      return;
    case "ImportDeclaration":
    case "ExportAllDeclaration":
      return;
    case "ExportNamedDeclaration":
      if (node.declaration !== null && node.declaration !== undefined) visit(pass, node.declaration, place);
      return;
    case "BreakStatement":
    case "ContinueStatement":
      if (node.label !== null && node.label !== undefined) refuseName(pass, node.label, context);
      return;
  }
  eachChild(node, (child) => visit(pass, child, place));
}

/** The head of a loop runs again within one scope. */
function visitLoop(pass: Pass, head: readonly (AnyNode | null | undefined)[], context: Context): void {
  for (const node of head) if (node !== null && node !== undefined) visit(pass, node, { scope: null, context });
}

/** Labels of a `for await` go with the loop that it becomes. */
function visitLabeled(pass: Pass, node: LabeledStatement, place: Place): void {
  const labels = [node];
  let body = node.body;
  for (; body.type === "LabeledStatement"; body = body.body) labels.push(body);
  for (const { label } of labels) refuseName(pass, label, place.context);
  if (body.type === "ForOfStatement" && body.await && place.context.kind !== "plain") {
    lowerForAwait(pass, body, labels, place);
  } else visit(pass, body, place);
}
