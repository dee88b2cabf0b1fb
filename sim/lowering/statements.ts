/**
 * Lists of statements: scopes, and statements that now begin with a parenthesis. Such a statement would continue the
 * one before it where that has no semicolon, so it gets one in front.
 */
import type { AnyNode, BlockStatement, Program, Statement, StaticBlock } from "acorn";
import type { Context } from "./context.ts";
import type { Pass } from "./pass.ts";
import { afterDirectives, Scope } from "./scope.ts";
import { visit } from "./visit.ts";

export function visitStatements(
  pass: Pass,
  statements: readonly AnyNode[],
  scope: Scope | null,
  context: Context,
): void {
  statements.forEach((statement, index) => {
    const before = statements[index - 1];
    if (before !== undefined && pass.code.charAt(before.end - 1) !== ";" && beginsWithParenthesis(statement)) {
      pass.text.appendRight(statement.start, ";");
    }
    visit(pass, statement, { scope, context });
  });
}

/** The body of a function, or of what runs like one. */
export function visitBody(
  pass: Pass,
  body: BlockStatement | Program | StaticBlock,
  start: number,
  context: Context,
  scope: Scope = new Scope("var"),
): void {
  enter(pass, body, start, scope, context);
}

export function visitBlock(pass: Pass, block: BlockStatement, context: Context): void {
  const names = context.strict ? [] : block.body.flatMap(asyncDeclaration);
  // Sloppy code declares a plain function of a block around the block, too, but never an async one. A variable of that
  // name between them keeps it in.
  if (names.length > 0) pass.text.appendLeft(block.start + 1, `let ${names.join(", ")};{`);
  enter(pass, block, block.start + 1, new Scope("let"), context);
  if (names.length > 0) pass.text.appendRight(block.end - 1, "}");
}

/** The body of a loop: with or without a block, it runs again in a scope of its own. */
export function visitLoopBody(pass: Pass, body: Statement, context: Context): void {
  if (body.type === "BlockStatement") {
    visitBlock(pass, body, context);
    return;
  }
  const scope = new Scope("let");
  visit(pass, body, { scope, context });
  if (scope.declaration === "") return;
  pass.text.prependRight(body.start, `{${scope.declaration} `);
  pass.text.appendLeft(body.end, "}");
}

function enter(
  pass: Pass,
  body: BlockStatement | Program | StaticBlock,
  start: number,
  scope: Scope,
  context: Context,
): void {
  const { at, guard } = afterDirectives(pass.code, body, start);
  visitStatements(pass, body.body, scope, context);
  if (scope.declaration !== "") pass.text.appendLeft(at, guard + scope.declaration);
}

export function asyncDeclaration(statement: AnyNode): string[] {
  return statement.type === "FunctionDeclaration" && statement.async && statement.id !== null
    ? [statement.id.name]
    : [];
}

/** True where the lowered statement begins with a parenthesis that the source does not have. */
function beginsWithParenthesis(statement: AnyNode): boolean {
  if (statement.type !== "ExpressionStatement") return false;
  for (let node: AnyNode | null = statement.expression; node?.start === statement.start; node = leftmost(node)) {
    switch (node.type) {
      case "AwaitExpression":
      case "YieldExpression":
      case "ImportExpression":
      case "ArrowFunctionExpression":
        return true;
    }
  }
  return false;
}

function leftmost(node: AnyNode): AnyNode | null {
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression":
    case "AssignmentExpression":
      return node.left;
    case "MemberExpression":
      return node.object;
    case "CallExpression":
      return node.callee;
    case "ChainExpression":
      return node.expression;
    case "TaggedTemplateExpression":
      return node.tag;
    case "ConditionalExpression":
      return node.test;
    case "SequenceExpression":
      return node.expressions[0] ?? null;
    case "UpdateExpression":
      return node.prefix ? null : node.argument;
    default:
      return null;
  }
}
