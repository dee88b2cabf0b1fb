/** The syntax tree as acorn gives it, and how to go through it. */
import type {
  AnonymousFunctionDeclaration,
  AnyNode,
  ArrowFunctionExpression,
  FunctionDeclaration,
  FunctionExpression,
  Pattern,
} from "acorn";

export type FunctionNode =
  | FunctionDeclaration
  | AnonymousFunctionDeclaration
  | FunctionExpression
  | ArrowFunctionExpression;

export function isFunction(node: AnyNode): node is FunctionNode {
  return (
    node.type === "FunctionDeclaration" || node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression"
  );
}

/** Calls back for every node directly below, in the order of the text. */
export function eachChild(node: AnyNode, told: (child: AnyNode) => void): void {
  // Every program is gone through like this: a list of the values would double the cost.
  for (const key in node) {
    const value: unknown = Reflect.get(node, key);
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) told(item);
    } else if (isNode(value)) told(value);
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** Calls back for everything that a pattern binds or assigns to. */
export function eachTarget(pattern: Pattern, told: (target: Pattern) => void): void {
  switch (pattern.type) {
    case "ObjectPattern":
      for (const property of pattern.properties) {
        eachTarget(property.type === "RestElement" ? property.argument : property.value, told);
      }
      return;
    case "ArrayPattern":
      for (const element of pattern.elements) if (element !== null) eachTarget(element, told);
      return;
    case "RestElement":
      eachTarget(pattern.argument, told);
      return;
    case "AssignmentPattern":
      eachTarget(pattern.left, told);
      return;
    case "Identifier":
    case "MemberExpression":
      told(pattern);
  }
}

/** True where the parameters cannot throw, and each is a name of its own. */
export function simpleParameters(node: FunctionNode): string[] | null {
  const names = node.params.flatMap((parameter) => (parameter.type === "Identifier" ? [parameter.name] : []));
  return names.length === node.params.length && new Set(names).size === names.length ? names : null;
}

/** The `length` of the function: its parameters before the first that is optional. */
export function lengthOf(node: FunctionNode): number {
  const end = node.params.findIndex(({ type }) => type === "AssignmentPattern" || type === "RestElement");
  return end < 0 ? node.params.length : end;
}

/** True where the body itself says "use strict". */
export function saysUseStrict(body: AnyNode): boolean {
  if (body.type !== "BlockStatement" && body.type !== "Program") return false;
  for (const statement of body.body) {
    if (statement.type !== "ExpressionStatement" || statement.directive === undefined) return false;
    if (statement.directive === "use strict") return true;
  }
  return false;
}
